package io.hapax;

import io.hapax.internal.EngineSettings;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MessageKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;

/** A receiver that may go on without its store, on a clock that the test moves. */
abstract class FailOpenFixture extends FaultFixture {

  static final Duration PATIENT = Duration.ofSeconds(10);
  static final Duration HALF = Duration.ofSeconds(5);

  final AtomicLong nanos = new AtomicLong();
  final AtomicInteger failures = new AtomicInteger();
  final List<String> claimed = new CopyOnWriteArrayList<>();
  final List<String> bypassed = new CopyOnWriteArrayList<>();
  volatile boolean away;

  @BeforeEach
  final void failsOpen() {
    sparing = new EngineSettings.Sparing(Optional.empty(), StoreOutagePolicy.failOpen(PATIENT));
    observer = new ReceiverListener() {
      @Override
      public void onStoreBypassed(MessageKey key, StoreBypass bypass) {
        bypassed.add(bypass + " " + key.id());
      }
    };
  }

  /** Remembers what a call claims, if it does. */
  final void note(String verb, List<?> items) {
    if (verb.equals("claim")) {
      items.forEach(it -> claimed.add(((ClaimRequest) it).key().id().toString()));
    }
  }
}
