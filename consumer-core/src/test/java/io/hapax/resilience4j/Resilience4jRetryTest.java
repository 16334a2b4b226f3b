package io.hapax.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.RetryConfig;
import io.hapax.DeadLetter;
import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import io.hapax.RetrySettings;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.mark.Bytes;
import io.hapax.store.InMemoryDedupStore;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What is taken over of a config of resilience4j. */
class Resilience4jRetryTest {

  @Test
  void attempts_and_waits_are_those_of_the_config() {
    RetryConfig config = RetryConfig.custom()
        .maxAttempts(4)
        .intervalFunction(IntervalFunction.ofExponentialBackoff(Duration.ofSeconds(2), 3.0))
        .build();

    RetrySettings settings = Resilience4jRetry.from(config);

    assertThat(settings.maxAttempts()).isEqualTo(4);
    assertThat(settings.waits())
        .containsExactly(Duration.ofSeconds(2), Duration.ofSeconds(6), Duration.ofSeconds(18));
    assertThat(settings.firstBackoff()).isEqualTo(Duration.ofSeconds(2));
    assertThat(settings.maxBackoff()).isEqualTo(Duration.ofSeconds(18));
  }

  @Test
  void a_message_waits_by_the_config_and_is_dead_lettered_after_its_attempts() throws Exception {
    List<DeadLetter<String>> buried = new CopyOnWriteArrayList<>();
    RetryConfig config =
        RetryConfig.custom().maxAttempts(1).waitDuration(Duration.ofMinutes(7)).build();
    try (IdempotentReceiver<String> receiver = receiver(config, buried)) {
      assertThat(receive(receiver)).isInstanceOf(Outcome.DeadLettered.class);
    }
    assertThat(buried).hasSize(1);

    RetryConfig second = RetryConfig.from(config).maxAttempts(2).build();
    try (IdempotentReceiver<String> receiver = receiver(second, buried)) {
      assertThat(((Outcome.Deferred) receive(receiver)).after()).isEqualTo(Duration.ofMinutes(7));
    }
  }

  @Test
  void all_calls_of_a_retry_around_the_downstream_are_one_attempt() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    ConfigurationPageRetry example = new ConfigurationPageRetry() {
      @Override
      Bytes send(String order) throws ConnectException {
        if (calls.incrementAndGet() < 3) {
          throw new ConnectException("connection refused");
        }
        return Bytes.utf8("receipt");
      }
    };
    InMemoryDedupStore store = new InMemoryDedupStore(Instant::now, Duration.ofDays(8));
    ReceiverBuilder<String> builder = IdempotentReceiver.<String>builder("orders")
        .id(text -> Optional.of(Bytes.utf8(text)))
        .noFingerprint();

    try (IdempotentReceiver<String> receiver = example.receiver(builder, store)) {
      assertThat(receive(receiver)).isInstanceOfSatisfying(Outcome.Executed.class, it -> {
        assertThat(it.attempt()).isEqualTo(1);
        assertThat(it.result()).isEqualTo(Bytes.utf8("receipt"));
      });
    }
    assertThat(calls).hasValue(3);
  }

  private static IdempotentReceiver<String> receiver(
      RetryConfig config, List<DeadLetter<String>> buried) {
    return IdempotentReceiver.<String>builder("orders")
        .id(text -> Optional.of(Bytes.utf8(text)))
        .noFingerprint()
        .retry(Resilience4jRetry.from(config))
        .notRetryable(Resilience4jRetry.notRetryable(config))
        .deadLetters(buried::add)
        .leased(new InMemoryDedupStore(Instant::now, Duration.ofDays(8)), delivery -> {
          throw new IllegalStateException("gateway down");
        });
  }

  private static Outcome receive(IdempotentReceiver<String> receiver) throws InterruptedException {
    return receiver
        .receive(List.of(new Incoming<>("a", "p0", "p0@0", false)), Duration.ofSeconds(20))
        .get(0);
  }

  @Test
  void what_the_config_does_not_retry_is_not_retryable() {
    Predicate<Throwable> notRetryable = Resilience4jRetry.notRetryable(
        RetryConfig.custom().ignoreExceptions(UncheckedIOException.class).build());

    assertThat(notRetryable).accepts(new UncheckedIOException(new java.io.IOException()));
    assertThat(notRetryable).rejects(new IllegalStateException());
  }

  @Test
  void what_cannot_be_taken_over_is_refused() {
    RetryConfig results = RetryConfig.custom().retryOnResult(it -> true).build();
    RetryConfig none =
        RetryConfig.custom().intervalBiFunction((n, either) -> 0L).build();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Resilience4jRetry.from(results))
        .withMessageContaining("retryOnResult is set but must not be");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Resilience4jRetry.from(none))
        .withMessageContaining("must be positive");
  }
}
