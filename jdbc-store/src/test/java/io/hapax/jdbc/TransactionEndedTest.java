package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.DeadLetter;
import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverListener;
import io.hapax.RetrySettings;
import io.hapax.TransactionalHandler;
import io.hapax.adapter.Outcome;
import io.hapax.health.Problem;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A handler ends its transaction in a way that the guard cannot see, and fails. */
class TransactionEndedTest extends TransactionalFixture {

  private final List<String> fenced = new CopyOnWriteArrayList<>();
  private final List<String> recovered = new CopyOnWriteArrayList<>();
  private volatile boolean commits = true;

  private final ReceiverListener listener = new ReceiverListener() {
    @Override
    public void onFenced(MessageKey key, long token) {
      fenced.add(key.id().toString());
    }

    @Override
    public void onRecovery(MessageKey key, ClaimAnswer.Acquired acquired) {
      recovered.add(key.id().toString());
    }
  };

  /** Writes each message. After "b" it commits, and then throws. */
  private IdempotentReceiver<String> shop(Duration backoff) {
    return open(builder()
        .retry(new RetrySettings(2, backoff, backoff))
        .listener(listener)
        .transactional(store, TransactionalHandler.forEach((transaction, delivery) -> {
          write(transaction, delivery.message());
          if (commits && delivery.message().equals("b")) {
            commitPastTheGuard(transaction);
            throw new IllegalStateException("no stock");
          }
        })));
  }

  private static void commitPastTheGuard(Connection transaction) throws SQLException {
    try (Statement statement = transaction.createStatement()) {
      statement.execute("EXECUTE IMMEDIATE 'COMMIT'");
    }
  }

  private List<Outcome> deliver(IdempotentReceiver<String> shop, boolean oneByOne)
      throws Exception {
    return shop.receive(lane("p0", oneByOne, "a", "b", "c"), PATIENCE);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_message_whose_handler_commits_and_throws_is_in_doubt(boolean oneByOne) throws Exception {
    IdempotentReceiver<String> shop = shop(Duration.ofMinutes(1));

    assertThat(deliver(shop, oneByOne))
        .extracting(Outcome::mayAcknowledge)
        .containsExactly(true, false, false);
    assertThat(mark("b").state()).isEqualTo(MarkState.RETRY);
    assertThat(mark("b").claim().attempt().inDoubt()).isTrue();
    assertThat(shop.health().problems())
        .singleElement()
        .satisfies(it -> assertThat(it.kind()).isEqualTo(Problem.Kind.MESSAGE_BLOCKED))
        .satisfies(it -> assertThat(it.text()).contains("these marks were committed"));
    assertThat(fenced).as("no other owner took the claim over").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_message_in_doubt_runs_again_and_is_reported_as_recovered(boolean oneByOne)
      throws Exception {
    IdempotentReceiver<String> shop = shop(Duration.ofMillis(1));
    deliver(shop, oneByOne);

    commits = false;
    await()
        .atMost(PATIENCE)
        .until(() -> deliver(shop, oneByOne).stream().allMatch(Outcome::mayAcknowledge));

    assertThat(effects()).contains("a", "c").filteredOn("b"::equals).hasSizeGreaterThan(1);
    assertThat(shop.health().problems()).isEmpty();
    assertThat(recovered).contains("b");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_handler_that_always_commits_and_throws_is_dead_lettered_in_doubt(boolean oneByOne)
      throws Exception {
    IdempotentReceiver<String> shop = shop(Duration.ofMillis(1));

    await().atMost(PATIENCE).untilAsserted(() -> {
      deliver(shop, oneByOne);
      assertThat(buried).hasSize(1);
    });

    assertThat(buried)
        .singleElement()
        .returns(true, DeadLetter::inDoubt)
        .returns(2, DeadLetter::attempts);
    assertThat(mark("b").state()).isEqualTo(MarkState.DEAD);
    assertThat(mark("a").state()).isEqualTo(MarkState.DONE);
    assertThat(shop.health().problems()).isEmpty();
  }
}
