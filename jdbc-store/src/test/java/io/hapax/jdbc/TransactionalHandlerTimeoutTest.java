package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.IdempotentReceiver;
import io.hapax.RetrySettings;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A handler that hangs in its transaction, in a batch and alone with its own transaction. */
class TransactionalHandlerTimeoutTest extends TransactionalFixture {

  private static final RetrySettings SOON =
      new RetrySettings(5, Duration.ofMillis(1), Duration.ofMillis(1));

  private final List<String> ends = new CopyOnWriteArrayList<>();

  @ParameterizedTest
  @CsvSource({"false, false", "true, false", "false, true", "true, true"})
  void writes_of_an_interrupted_handler_are_rolled_back_and_written_once(
      boolean probation, boolean returns) throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    IdempotentReceiver<String> shop = receiver(
        builder().retry(SOON).handlerTimeout(Duration.ofSeconds(2)), (transaction, delivery) -> {
          write(transaction, delivery.message());
          if (ends.isEmpty()) {
            try {
              never.await();
            } catch (InterruptedException e) {
              ends.add("interrupted");
              if (returns) {
                Thread.currentThread().interrupt();
                return;
              }
              throw e;
            }
          }
          ends.add("done");
        });
    List<Outcome> first = shop.receive(lane("p0", probation, "a"), PATIENCE);

    assertThat(first).singleElement().isInstanceOf(Outcome.Deferred.class);
    assertThat(effects()).isEmpty();
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> shop.receive(lane("p0", probation, "a"), PATIENCE).stream()
            .allMatch(Outcome::mayAcknowledge));
    assertThat(ends).containsExactly("interrupted", "done");
    assertThat(effects()).containsExactly("a");
  }

  @Test
  void a_handler_that_returns_because_its_receiver_is_closed_has_not_taken_effect()
      throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    IdempotentReceiver<String> closing =
        receiver(builder().retry(SOON), (transaction, delivery) -> {
          begun.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            ends.add("interrupted");
          }
        });
    Submission submission = closing.submit(lane("p0", false, "a"), (index, outcome) -> {});
    begun.await();
    closing.close(Duration.ZERO);
    submission.await(PATIENCE);

    IdempotentReceiver<String> next =
        receiver(builder(), (transaction, delivery) -> write(transaction, delivery.message()));
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> next.receive(lane("p0", false, "a"), PATIENCE).stream()
            .allMatch(Outcome::mayAcknowledge));
    assertThat(effects()).containsExactly("a");
  }
}
