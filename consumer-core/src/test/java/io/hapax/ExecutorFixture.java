package io.hapax;

import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.store.InMemoryDedupStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** Executors in leased mode; the store is the machine in a map, whose clock the test moves. */
@Timeout(30)
abstract class ExecutorFixture {

  static final String NAME = "orders-api";
  static final Fingerprint BODY = Fingerprint.of("body".getBytes(StandardCharsets.UTF_8));
  static final Fingerprint OTHER_BODY = Fingerprint.of("other".getBytes(StandardCharsets.UTF_8));

  final TestClock clock = new TestClock();
  final InMemoryDedupStore marks = new InMemoryDedupStore(clock, Duration.ofDays(8));
  final FaultyStore store = new FaultyStore(marks);
  final List<String> effects = new CopyOnWriteArrayList<>();
  final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<IdempotentExecutor> opened = new ArrayList<>();

  @AfterEach
  final void close() {
    threads.shutdownNow();
    opened.forEach(IdempotentExecutor::close);
  }

  final ExecutorBuilder builder() {
    return IdempotentExecutor.builder(NAME).drainTimeout(Duration.ofSeconds(2));
  }

  final IdempotentExecutor open(IdempotentExecutor built) {
    opened.add(built);
    return built;
  }

  final IdempotentExecutor executor() {
    return open(builder().leased(store));
  }

  /** A call with an effect and a result. */
  final IdempotentCall<RuntimeException> effect(String result) {
    return delivery -> {
      effects.add(delivery.message() + " " + result);
      return text(result);
    };
  }

  static Bytes text(String text) {
    return Bytes.utf8(text);
  }

  final ClaimAnswer.Acquired claimedElsewhere(String id, boolean solo, Duration lease) {
    ClaimRequest request = new ClaimRequest(
        key(id),
        new Nonce(7, id.hashCode()),
        BODY,
        new Origin("elsewhere", ""),
        new ClaimTerms(solo, true, ClaimTerms.ANY_TIME));
    return (ClaimAnswer.Acquired) marks.claim(List.of(request), lease).get(0);
  }

  static MessageKey key(String id) {
    return MessageKey.of(NAME, id);
  }
}
