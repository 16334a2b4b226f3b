package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.Nonce;
import io.hapax.store.BrokenTransactionException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

@TestDatabase.OnH2
class H2TransactionEndTest extends TransactionEndTests {

  @Test
  void a_hidden_committing_statement_is_reported_with_committed_marks() {
    assertThatThrownBy(() -> run(store(), "a", connection -> {
          fixture.writeEffect(connection, effect("a"));
          execute(connection, "EXECUTE IMMEDIATE 'COMMIT'");
          fixture.writeEffect(connection, effect("a"));
        }))
        .isInstanceOf(BrokenTransactionException.class)
        .hasMessageContaining("the transaction ended while the handler ran")
        .hasMessageContaining("these marks were committed")
        .hasMessageContaining(key("a").toString());

    assertThat(state("a")).isEqualTo(MarkState.PROCESSING);
    assertThat(effects("a")).isEqualTo(1);
  }

  @Test
  void a_hidden_rollback_is_reported_as_rolled_back() {
    assertThatThrownBy(() -> run(store(), "a", connection -> {
          fixture.writeEffect(connection, effect("a"));
          execute(connection, "EXECUTE IMMEDIATE 'ROLLBACK'");
        }))
        .isInstanceOf(BrokenTransactionException.class)
        .hasMessageContaining("the transaction ended while the handler ran")
        .hasMessageContaining("everything was rolled back");

    assertThat(state("a")).isEqualTo(MarkState.ABSENT);
  }

  @Test
  void a_locked_mark_does_not_make_claimed_ones_of_its_batch_busy() throws Exception {
    List<ClaimRequest> batch = Stream.of("a", "b", "c", "d")
        .map(this::request)
        .sorted(Comparator.comparing(ClaimRequest::key))
        .toList();
    ClaimRequest taken = request(batch.get(1).key().id().toString());
    String locked = batch.get(3).key().id().toString();
    Holder<?> holder = holder(hold -> run(fixture.other(), locked, hold));
    AtomicBoolean first = new AtomicBoolean(true);
    JdbcDedupStore store =
        fixture.storeOn(InterceptedDriver.with(fixture.pool(), (on, deed, call) -> {
          if (InterceptedDriver.insertsMarks(deed) && first.getAndSet(false)) {
            fixture.other().claim(List.of(taken), LEASE);
          }
          return call.call();
        }));

    List<ClaimAnswer> answers = store.claim(batch, LEASE);
    holder.end();

    List<Optional<Mark>> marks =
        store.find(batch.stream().map(ClaimRequest::key).toList());
    for (int i = 0; i < batch.size(); i++) {
      Nonce nonce = batch.get(i).nonce();
      boolean ours =
          marks.get(i).filter(mark -> mark.claim().nonce().equals(nonce)).isPresent();
      assertThat(answers.get(i) instanceof ClaimAnswer.Acquired).as("%d", i).isEqualTo(ours);
    }
  }

  @Test
  void a_session_has_its_limits_back_whatever_became_of_the_verb() throws SQLException {
    try (Connection real = fixture.pool().getConnection()) {
      execute(real, "SET LOCK_TIMEOUT 7000");
      real.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
      JdbcDedupStore store = fixture.storeOn(new SingleConnection(real));

      store.runOnce(List.of(request("a")), (connection, answers) -> {});
      assertThatLimitsAreBack(real);
      store.claim(List.of(request("b")), LEASE);
      assertThatLimitsAreBack(real);
      assertThatThrownBy(() -> run(store, "c", tx -> {
            throw new IOException("no answer");
          }))
          .isInstanceOf(IOException.class);
      assertThatLimitsAreBack(real);
    }
  }

  private static void assertThatLimitsAreBack(Connection connection) throws SQLException {
    assertThat(Dialect.first(connection, "SELECT LOCK_TIMEOUT()")).hasValue("7000");
    assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
  }
}
