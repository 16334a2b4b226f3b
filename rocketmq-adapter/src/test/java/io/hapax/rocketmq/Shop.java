package io.hapax.rocketmq;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.TransactionalHandler;
import io.hapax.jdbc.JdbcDedupStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.common.message.MessageExt;

/** A database with marks and, without a unique constraint, effects. One process at a time. */
final class Shop implements AutoCloseable {

  private final HikariDataSource database = new HikariDataSource();

  Shop(Path directory) throws SQLException {
    database.setJdbcUrl(
        "jdbc:h2:file:" + directory.resolve("shop") + ";WRITE_DELAY=0;REUSE_SPACE=FALSE");
    database.setMaximumPoolSize(1); // H2 tears the transactions of several writers at a kill
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE IF NOT EXISTS effects (body varchar(20))");
    }
  }

  JdbcDedupStore marks() {
    return JdbcDedupStore.builder(database).createIfAbsent().build();
  }

  /** Writes the body of each message. */
  static TransactionalHandler<MessageExt, Connection> handler() {
    return TransactionalHandler.forEach(
        (connection, delivery) -> write(connection, WithConsumers.body(delivery.message())));
  }

  /** Writes an effect in a transaction of its own. */
  void write(String body) throws SQLException {
    try (Connection connection = database.getConnection()) {
      write(connection, body);
    }
  }

  static void write(Connection connection, String body) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("INSERT INTO effects VALUES (?)")) {
      statement.setString(1, body);
      statement.executeUpdate();
    }
  }

  List<String> written() throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT body FROM effects")) {
      List<String> bodies = new ArrayList<>();
      while (rows.next()) {
        bodies.add(rows.getString(1));
      }
      return bodies;
    }
  }

  @Override
  public void close() {
    database.close();
  }
}
