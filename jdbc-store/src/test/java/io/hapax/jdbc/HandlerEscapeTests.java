package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.mark.MarkState;
import io.hapax.store.BrokenTransactionException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Ways in which a handler may try, or happen, to get out of the store's transaction. */
abstract class HandlerEscapeTests extends StoreTests {

  /** Returns a commit behind a nested comment; in MariaDB comments do not nest. */
  private String commented() {
    return database.product == TestDatabase.Product.MARIADB
        ? "/* all /* done */ Commit"
        : "/* all /* really all */ done */ Commit";
  }

  /** What a handler does with its connection. */
  @FunctionalInterface
  interface Deed {
    void on(Connection connection) throws Exception;
  }

  /** The deed is refused before it does harm: neither mark nor effect stands. */
  void assertRefused(String what, Deed deed) {
    assertThatThrownBy(() -> run(store(), "a", tx -> {
          fixture.writeEffect(tx, effect("a"));
          deed.on(tx);
        }))
        .as(what)
        .isInstanceOf(BrokenTransactionException.class);
    assertThat(state("a")).as(what).isEqualTo(MarkState.ABSENT);
    assertThat(effects("a")).as(what).isZero();
  }

  @Test
  void what_would_outlive_the_transaction_is_refused() {
    Map<String, Deed> deeds = Map.of(
        "setSchema", connection -> connection.setSchema("public"),
        "setCatalog", connection -> connection.setCatalog("marks"),
        "setNetworkTimeout", connection -> connection.setNetworkTimeout(Runnable::run, 1000),
        "setHoldability",
            connection -> connection.setHoldability(java.sql.ResultSet.CLOSE_CURSORS_AT_COMMIT),
        "setReadOnly", connection -> connection.setReadOnly(false),
        "setTypeMap", connection -> connection.setTypeMap(Map.of()),
        "setClientInfo", connection -> connection.setClientInfo(new Properties()),
        "setTransactionIsolation",
            connection -> connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE));

    deeds.forEach(this::assertRefused);
  }

  @Test
  void statements_that_end_the_transaction_are_refused_before_they_run() {
    List<String> texts = List.of(
        "COMMIT",
        " \n commit work",
        "-- all done\nCOMMIT",
        commented(),
        "SELECT ';'; COMMIT",
        "SELECT 1 AS \"a;b\"; ROLLBACK",
        "ROLLBACK WORK",
        "BEGIN",
        "START TRANSACTION",
        "PREPARE TRANSACTION 'mine'",
        "SET AUTOCOMMIT TRUE",
        "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE");

    for (String text : texts) {
      assertRefused("execute " + text, connection -> execute(connection, text));
    }
    assertRefused("prepare", connection -> {
      try (PreparedStatement prepared = connection.prepareStatement("COMMIT")) {
        prepared.execute();
      }
    });
    assertRefused("batch", connection -> {
      try (Statement statement = connection.createStatement()) {
        statement.addBatch("COMMIT");
        statement.executeBatch();
      }
    });
  }

  @Test
  void statements_that_only_look_like_it_are_run() throws SQLException {
    store().runOnce(List.of(request("a")), (connection, answers) -> {
      execute(connection, "SAVEPOINT mine");
      fixture.writeEffect(connection, effect("a"));
      execute(connection, "ROLLBACK TO SAVEPOINT mine");
      execute(connection, "SELECT 'it''s; COMMIT' AS \"; ROLLBACK\" -- ; COMMIT");
      fixture.writeEffect(connection, effect("a"));
    });

    assertThat(effects("a")).isEqualTo(1);
  }

  @Test
  void a_statement_of_another_thread_does_not_outlive_the_transaction() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    JdbcDedupStore store =
        fixture.storeOn(InterceptedDriver.with(fixture.pool(), (on, deed, call) -> {
          if (deed.startsWith("executeLargeUpdate")) {
            inside.countDown();
            over.await(1, TimeUnit.SECONDS);
          }
          Object result = call.call();
          if (deed.equals("setAutoCommit") && inside.getCount() == 0) {
            over.countDown();
          }
          return result;
        }));
    String insert = "INSERT INTO effects (id) VALUES ('" + effect("a") + "')";

    assertThatThrownBy(() -> run(store, "a", connection -> {
          Statement late = connection.createStatement();
          Future<Long> running = threads.submit(() -> late.executeLargeUpdate(insert));
          assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
          throw new IllegalStateException("failed with " + running.isDone());
        }))
        .hasMessageContaining("failed with false");

    threads.shutdown();
    assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    assertThat(effects("a")).isZero();
  }
}
