package io.hapax.demo.techniques;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.demo.scene.OnStage;
import io.hapax.demo.scene.Servers;
import io.hapax.demo.scene.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(OnStage.class)
class BareTableTest {

  private static final String UNIQUE_VIOLATION = "23505";
  private static final String LOCK_NOT_AVAILABLE = "55P03";

  private final DataSource database;

  BareTableTest(Servers servers) {
    this.database = servers.postgres();
  }

  @BeforeEach
  void create() throws SQLException {
    try (Connection connection = database.getConnection()) {
      Sql.createAfresh(connection, "answer", "order_id VARCHAR(60) NOT NULL");
      Sql.createAfresh(connection, "known_order", "order_id VARCHAR(60) PRIMARY KEY");
      Sql.createAfresh(connection, "bonus", "order_id VARCHAR(60) NOT NULL");
      Sql.createAfresh(
          connection, "address", "customer VARCHAR(60) PRIMARY KEY, city VARCHAR(60) NOT NULL");
    }
  }

  @Test
  void a_lookup_lets_two_pass_that_arrive_at_the_same_time() throws SQLException {
    try (Connection first = database.getConnection();
        Connection second = database.getConnection()) {
      first.setAutoCommit(false);

      payUnlessAnswered(first);
      payUnlessAnswered(second);
      first.commit();
      first.setAutoCommit(true);

      assertThat(bonuses(second)).isEqualTo(2);
    }
  }

  private static void payUnlessAnswered(Connection connection) throws SQLException {
    if (Sql.number(connection, "SELECT COUNT(*) FROM answer WHERE order_id = 'order-1'") == 0) {
      Sql.update(connection, "INSERT INTO bonus VALUES ('order-1')");
      Sql.update(connection, "INSERT INTO answer VALUES ('order-1')");
    }
  }

  @Test
  void a_unique_key_that_is_written_first_loses_the_effect_after_a_crash() throws SQLException {
    try (Connection connection = database.getConnection()) {
      insertKey(connection); // the process dies before it pays

      assertThatThrownBy(() -> insertKey(connection))
          .asInstanceOf(InstanceOfAssertFactories.type(SQLException.class))
          .extracting(SQLException::getSQLState)
          .as("so the redelivered message looks like a duplicate")
          .isEqualTo(UNIQUE_VIOLATION);
      assertThat(bonuses(connection)).isZero();
    }
  }

  private static void insertKey(Connection connection) throws SQLException {
    Sql.update(connection, "INSERT INTO known_order VALUES ('order-1')");
  }

  @Test
  void an_idempotent_write_that_is_late_undoes_a_newer_one() throws SQLException {
    try (Connection connection = database.getConnection()) {
      Sql.update(connection, "INSERT INTO address VALUES ('ann', 'unknown')");

      moveTo(connection, "Hangzhou");
      moveTo(connection, "Beijing");
      moveTo(connection, "Hangzhou"); // the first message is redelivered

      assertThat(Sql.rows(connection, "SELECT city FROM address")).containsExactly("Hangzhou");
    }
  }

  private static void moveTo(Connection connection, String city) throws SQLException {
    Sql.update(connection, "UPDATE address SET city = ? WHERE customer = 'ann'", city);
  }

  @Test
  void a_prepared_transaction_without_a_coordinator_blocks_its_rows() throws SQLException {
    try (Connection connection = database.getConnection()) {
      Sql.update(connection, "INSERT INTO address VALUES ('ann', 'Beijing')");
      connection.setAutoCommit(false);
      moveTo(connection, "Hangzhou");
      Sql.update(connection, "PREPARE TRANSACTION 'order-1'"); // now the coordinator dies
      connection.commit();
      try {
        Sql.update(connection, "SET LOCAL lock_timeout = '500ms'");
        assertThatThrownBy(() -> moveTo(connection, "Shanghai"))
            .asInstanceOf(InstanceOfAssertFactories.type(SQLException.class))
            .extracting(SQLException::getSQLState)
            .isEqualTo(LOCK_NOT_AVAILABLE);
      } finally {
        connection.rollback();
        connection.setAutoCommit(true);
        Sql.update(connection, "ROLLBACK PREPARED 'order-1'");
      }
    }
  }

  private static long bonuses(Connection connection) throws SQLException {
    return Sql.number(connection, "SELECT COUNT(*) FROM bonus");
  }
}
