package io.hapax.spring.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MarkState;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.spring.transaction.ledger.LedgerMapper;
import io.hapax.store.BrokenTransactionException;
import io.hapax.store.CommitUnknownException;
import io.hapax.store.StoreException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.apache.ibatis.session.ExecutorType;
import org.apache.ibatis.session.SqlSessionFactory;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mybatis.spring.SqlSessionTemplate;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** How the writes of a listener and its mark commit, whatever the transaction manager. */
abstract class TransactionTests extends FrameTests {

  void assertOneCommit(Listener listener) throws Exception {
    int before = commits();

    runOnce(listener);

    assertDone(1);
    assertThat(commits()).isEqualTo(before + 1);
  }

  @Test
  void a_jdbc_template_writes_in_the_transaction_of_the_mark() throws Exception {
    assertOneCommit(id -> {
      jdbc.update("insert into ledger (id, message) values (?, ?)", id, id);
      assertThat(seenFromOutside("select count(*) from ledger where message = '" + id + "'"))
          .isZero();
    });
  }

  private int seenFromOutside(String query) throws Exception {
    try (Connection connection = database().access().connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getInt(1);
    }
  }

  @Test
  void a_mybatis_mapper_writes_in_the_transaction_of_the_mark() throws Exception {
    LedgerMapper mapper = application.getBean(LedgerMapper.class);

    assertOneCommit(id -> mapper.write(id, id));
  }

  @Test
  void jooq_writes_in_the_transaction_of_the_mark() throws Exception {
    DSLContext jooq = application.getBean(DSLContext.class);

    assertOneCommit(id -> jooq.insertInto(
            DSL.table("ledger"), DSL.field("id", String.class), DSL.field("message", String.class))
        .values(id, id)
        .execute());
  }

  @Test
  void a_transactional_service_joins() throws Exception {
    assertOneCommit(ledger::write);
  }

  @Test
  void a_service_that_demands_a_transaction_joins() throws Exception {
    assertOneCommit(ledger::writeMandatory);
  }

  @Test
  void a_service_with_its_own_isolation_joins_without_it() throws Exception {
    assertOneCommit(id -> assertThat(ledger.writeSerializable(id))
        .as("the isolation of the transaction of the marks")
        .isEqualTo(Connection.TRANSACTION_READ_COMMITTED));
  }

  @Test
  void a_service_that_refuses_transactions_fails() {
    assertFails(ledger::writeNever, IllegalTransactionStateException.class);
  }

  @Test
  void a_listener_that_throws_leaves_nothing() {
    assertFails(
        id -> {
          ledger.write(id);
          throw new IOException("no answer");
        },
        IOException.class);
  }

  @Test
  void a_failed_service_whose_failure_is_swallowed_breaks_the_transaction() {
    assertBreaks(id -> {
      ledger.write(id);
      assertThatThrownBy(ledger::fail).hasMessage("no stock");
    });
  }

  @Test
  void a_batch_of_mybatis_fails_inside_the_transaction() {
    SqlSessionTemplate batches =
        new SqlSessionTemplate(application.getBean(SqlSessionFactory.class), ExecutorType.BATCH);
    LedgerMapper mapper = batches.getMapper(LedgerMapper.class);
    application.getBean(LedgerMapper.class).takeSeat(message);

    assertFails(
        id -> {
          mapper.write(id, id);
          mapper.takeSeat(id);
        },
        org.apache.ibatis.exceptions.PersistenceException.class);
  }

  @Test
  void a_write_apart_remains_and_is_warned_of_once() {
    try (LogCapture log = new LogCapture(SpringTransactionFrame.class)) {
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> runOnce(id -> {
              ledger.writeApart(id);
              throw new IOException("no answer");
            }))
            .isInstanceOf(IOException.class);
      }

      assertThat(log.warnings()).singleElement().asString().contains("Ledger.writeApart");
    }
    assertThat(store.find(List.of(key())).get(0)).isEmpty();
    assertThat(ledger.effects(message)).isEqualTo(2);
  }

  @Test
  void a_write_without_a_transaction_is_warned_of() throws Exception {
    try (LogCapture log = new LogCapture(SpringTransactionFrame.class)) {
      runOnce(ledger::writeUntransacted);

      assertThat(log.warnings()).singleElement().asString().contains("Ledger.writeUntransacted");
    }
  }

  @Test
  void a_transaction_around_takes_neither_mark_nor_claim_back() {
    TransactionTemplate outer =
        new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
    String around = UUID.randomUUID().toString();

    ClaimRequest claimedAlone = request(around);
    outer.executeWithoutResult(status -> {
      ledger.write(around);
      try {
        runOnce(ledger::write);
        store.claim(List.of(claimedAlone), Duration.ofMinutes(1));
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
      status.setRollbackOnly();
    });

    assertDone(1);
    assertThat(store.find(List.of(claimedAlone.key())).get(0)).isPresent();
    assertThat(ledger.effects(around)).isZero();
  }

  /** A callback before the commit, as that of a TransactionalEventListener. */
  static void beforeCommit(Runnable callback) {
    TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
      @Override
      public void beforeCommit(boolean readOnly) {
        callback.run();
      }
    });
  }

  static List<RuntimeException> failures() {
    return List.of(
        new IllegalStateException("refused"),
        new TransactionSystemException("refused"),
        new UnexpectedRollbackException("refused"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void a_failure_before_the_commit_leaves_nothing(RuntimeException failure) {
    assertBreaks(id -> {
      ledger.write(id);
      beforeCommit(() -> {
        throw failure;
      });
    });
  }

  @Test
  void a_swallowed_failure_before_the_commit_leaves_nothing() {
    assertBreaks(id -> {
      ledger.write(id);
      beforeCommit(() -> assertThatThrownBy(ledger::fail).hasMessage("no stock"));
    });
  }

  @Test
  void a_transaction_committed_before_the_commit_leaves_its_mark_in_doubt() throws Exception {
    assertInDoubt(id -> {
      ledger.write(id);
      beforeCommit(() -> jdbc.execute("commit"));
    });
  }

  /** Part of the effect is committed: the message must not count as done, and must run again. */
  void assertInDoubt(Listener listener) throws Exception {
    assertThatThrownBy(() -> runOnce(listener))
        .isInstanceOfSatisfying(
            BrokenTransactionException.class, it -> assertThat(it.inDoubt()).isTrue())
        .hasMessageContaining(message);
    assertThat(store.find(List.of(key())).get(0)).hasValueSatisfying(mark -> {
      assertThat(mark.state()).isEqualTo(MarkState.PROCESSING);
      assertThat(mark.claim().attempt().inDoubt()).isTrue();
    });
    int before = ledger.effects(message);

    runOnce(request(), ledger::write);

    assertDone(before + 1);
  }

  private void writeAroundAndThrow(Runnable end) throws IOException {
    ledger.write(message);
    end.run();
    ledger.write(message);
    throw new IOException("no answer");
  }

  @Test
  void a_listener_that_commits_and_throws_leaves_its_mark_in_doubt() throws Exception {
    assertInDoubt(id -> writeAroundAndThrow(() -> jdbc.execute("commit")));
  }

  @Test
  void a_claimed_message_whose_listener_commits_and_throws_is_in_doubt() {
    Claim claim = ((ClaimAnswer.Acquired)
            store.claim(List.of(request()), Duration.ofMinutes(1)).get(0))
        .claim();

    assertThatThrownBy(() -> store.<Exception>completeWith(
            claim, connection -> writeAroundAndThrow(() -> jdbc.execute("commit"))))
        .isInstanceOf(BrokenTransactionException.class);

    Settlement retry = new Settlement(claim, new Verdict.Retry(Duration.ZERO, true));
    assertThat(store.settle(List.of(retry))).containsExactly(new SettleAnswer.Settled(false));
  }

  @Test
  void a_listener_that_rolls_back_and_throws_leaves_nothing() {
    assertFails(
        id -> {
          ledger.write(id);
          jdbc.execute("rollback");
          throw new IOException("no answer");
        },
        IOException.class);
  }

  @Test
  void a_failure_after_the_commit_does_not_fail_the_message() throws Exception {
    assertOneCommit(id -> {
      ledger.write(id);
      TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
        @Override
        public void afterCommit() {
          throw new IllegalStateException("too late");
        }
      });
    });
  }

  @Test
  void a_rollback_that_fails_does_not_commit() {
    assertFails(
        id -> {
          ledger.write(id);
          faults.refuseRollback.set(true);
          throw new IOException("no answer");
        },
        IOException.class);
  }

  /** Ends the session of a connection, and uses the connection once more. */
  private void lose(JdbcTemplate jdbc) throws SQLException {
    long number = ownSession(jdbc);
    try (Connection other = database().access().connect();
        Statement statement = other.createStatement()) {
      statement.execute(database().endSession(number));
    }
    ownSession(jdbc);
  }

  private long ownSession(JdbcTemplate jdbc) {
    return Objects.requireNonNull(jdbc.queryForObject(database().ownSession(), Long.class));
  }

  @Test
  void a_connection_that_the_listener_loses_is_the_stores_failure() {
    assertFails(
        id -> {
          ledger.write(id);
          lose(jdbc);
        },
        StoreException.class);
  }

  @Test
  void a_connection_that_is_lost_elsewhere_is_the_listeners_failure() {
    assertFails(
        id -> {
          ledger.write(id);
          try (Connection elsewhere = database().access().connect()) {
            lose(new JdbcTemplate(new SingleConnectionDataSource(elsewhere, true)));
          }
        },
        DataAccessException.class);
  }

  @Test
  void a_listener_that_is_idle_for_longer_than_the_limit_fails() throws Exception {
    DataSource dataSource = application.getBean(DataSource.class);
    PlatformTransactionManager manager = application.getBean(PlatformTransactionManager.class);
    try (JdbcDedupStore impatient = JdbcDedupStore.builder(dataSource)
        .allowVolatile(true)
        .noBackgroundPurge()
        .idleLimit(Duration.ofSeconds(1))
        .transactionFrame(SpringTransactionFrame.of(manager, dataSource))
        .build()) {
      assertThatThrownBy(() ->
              impatient.<Exception>runOnce(List.of(request()), (connection, answers) -> {
                String query = database().sessions(ownSession(jdbc));
                await().until(() -> seenFromOutside(query) == 0);
                ledger.write(message);
              }))
          .isInstanceOf(BrokenTransactionException.class)
          .hasMessageContaining("idleLimit");
    }
    assertNothingStands();
  }

  @Test
  void a_commit_without_an_answer_is_decided_by_its_nonces() throws Exception {
    ClaimRequest request = request();
    assertThatThrownBy(() -> runOnce(request, id -> {
          ledger.write(id);
          faults.loseCommit.set(true);
        }))
        .isInstanceOf(CommitUnknownException.class);

    assertThat(runOnce(request, ledger::write))
        .singleElement()
        .isInstanceOfSatisfying(
            ClaimAnswer.Done.class, done -> assertThat(done.own()).isTrue());
    assertDone(1);
  }
}
