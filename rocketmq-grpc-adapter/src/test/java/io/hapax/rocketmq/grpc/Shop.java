package io.hapax.rocketmq.grpc;

import io.hapax.TransactionalHandler;
import io.hapax.jdbc.JdbcDedupStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.client.apis.message.MessageView;
import org.h2.jdbcx.JdbcConnectionPool;

/** A database with marks and, without a unique constraint, effects. One process at a time. */
final class Shop implements AutoCloseable {

  private final JdbcConnectionPool database;

  Shop(Path directory) throws SQLException {
    database = JdbcConnectionPool.create(
        "jdbc:h2:file:" + directory.resolve("shop") + ";WRITE_DELAY=0;REUSE_SPACE=FALSE", "", "");
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE IF NOT EXISTS effects (body varchar(20))");
    }
  }

  JdbcDedupStore marks() {
    return JdbcDedupStore.builder(database).createIfAbsent().build();
  }

  /** Writes the body of each message. */
  static TransactionalHandler<MessageView, Connection> handler() {
    return TransactionalHandler.forEach((connection, delivery) -> {
      try (PreparedStatement statement =
          connection.prepareStatement("INSERT INTO effects VALUES (?)")) {
        statement.setString(
            1, new String(ClientMessages.body(delivery.message()), StandardCharsets.UTF_8));
        statement.executeUpdate();
      }
    });
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
    database.dispose();
  }
}
