package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.IdempotentReceiver;
import io.hapax.RetrySettings;
import io.hapax.adapter.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A handler that hangs in its transaction, in a batch and alone with its own transaction. */
class TransactionalHandlerTimeoutTest extends TransactionalFixture {

  private final List<String> ends = new CopyOnWriteArrayList<>();

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void writes_of_an_interrupted_handler_are_rolled_back_and_written_once(boolean probation)
      throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    IdempotentReceiver<String> shop = receiver(
        builder()
            .retry(new RetrySettings(5, Duration.ofMillis(1), Duration.ofMillis(1)))
            .handlerTimeout(Duration.ofSeconds(2)),
        (transaction, delivery) -> {
          write(transaction, delivery.message());
          if (ends.isEmpty()) {
            try {
              never.await();
            } catch (InterruptedException e) {
              ends.add("interrupted");
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
}
