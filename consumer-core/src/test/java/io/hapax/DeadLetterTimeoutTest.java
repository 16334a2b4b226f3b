package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.mark.MarkState;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a publisher of dead letters may do to its lane that does not return in time. */
@Timeout(60)
class DeadLetterTimeoutTest extends LeasedFixture {

  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private final CountDownLatch go = new CountDownLatch(1);
  private final List<Outcome> outcomes = new CopyOnWriteArrayList<>();

  private IdempotentReceiver<String> poisoned(DeadLetterPublisher<String> publisher) {
    return open(builder()
        .retry(new RetrySettings(1, Duration.ofMinutes(1), Duration.ofMinutes(1)))
        .deadLetterTimeout(TIMEOUT)
        .deadLetters(publisher)
        .leased(store, throwing(new IllegalStateException("poison"))));
  }

  @Test
  @DisplayName("invariant 14: a publisher that never returns is interrupted and tried again")
  void a_publisher_that_does_not_return_is_interrupted_and_called_again_later() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    IdempotentReceiver<String> receiver = poisoned(letter -> {
      if (calls.incrementAndGet() == 1) {
        go.await();
      }
      buried.add(letter);
    });

    receiver.submit(lane("p0", "a"), (index, outcome) -> outcomes.add(outcome));

    await().atMost(LONG_PATIENCE).until(() -> !outcomes.isEmpty());
    assertThat(((Deferred) outcomes.get(0)).reason()).isEqualTo(Reason.DEAD_LETTER_FAILED);
    assertThat(mark("a").state()).isEqualTo(MarkState.RETRY);
    assertThat(receiver.health().well()).isFalse();
    assertThat(receiver.problems())
        .asString()
        .contains("p0@0 (a) could not be dead-lettered")
        .contains("the publisher did not return within PT1S");

    clock.advance(Duration.ofMinutes(1));
    assertThat(receive(receiver, "a").get(0)).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(buried).hasSize(1);
    assertThat(receiver.health().well()).isTrue();
  }

  @Test
  @DisplayName("invariant 14: a publisher that ignores its interrupt is named")
  void a_publisher_that_ignores_its_interrupt_is_named_until_it_returns() throws Exception {
    IdempotentReceiver<String> receiver = poisoned(letter -> {
      while (go.getCount() > 0) {
        try {
          go.await();
        } catch (InterruptedException ignored) {
          // as a client that waits uninterruptibly
        }
      }
      buried.add(letter);
    });

    receiver.submit(lane("p0", "a"), (index, outcome) -> outcomes.add(outcome));

    await()
        .atMost(LONG_PATIENCE)
        .untilAsserted(() -> assertThat(receiver.problems())
            .asString()
            .contains("dead-letter publisher for p0@0")
            .contains("has not returned"));
    assertThat(outcomes).isEmpty();
    assertThat(mark("a").state()).isEqualTo(MarkState.PROCESSING);

    go.countDown();
    await().atMost(LONG_PATIENCE).until(() -> !outcomes.isEmpty());
    assertThat(((Deferred) outcomes.get(0)).reason()).isEqualTo(Reason.DEAD_LETTER_FAILED);
    assertThat(receiver.problems()).asString().doesNotContain("has not returned");

    clock.advance(Duration.ofMinutes(1));
    assertThat(receive(receiver, "a").get(0)).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(mark("a").state()).isEqualTo(MarkState.DEAD);
    assertThat(receiver.health().well()).isTrue();
  }
}
