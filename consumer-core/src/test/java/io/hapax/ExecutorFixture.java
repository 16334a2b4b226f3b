package io.hapax;

import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;

/** Executors in leased mode. */
abstract class ExecutorFixture extends LeasedFixture {

  static final Fingerprint BODY = Fingerprint.of("body".getBytes(StandardCharsets.UTF_8));
  static final Fingerprint OTHER_BODY = Fingerprint.of("other".getBytes(StandardCharsets.UTF_8));

  final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  final void stopThreads() {
    threads.shutdownNow();
  }

  static ExecutorBuilder executors() {
    return IdempotentExecutor.builder(SCOPE).drainTimeout(Duration.ofSeconds(2));
  }

  final IdempotentExecutor executor() {
    return open(executors().leased(store));
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
}
