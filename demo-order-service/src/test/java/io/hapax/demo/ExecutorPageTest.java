package io.hapax.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.demo.ExecutorPageOrders.Response;
import io.hapax.jdbc.JdbcDedupStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the example of docs/executor.md as shown. */
class ExecutorPageTest {

  @Test
  void each_request_places_one_order(@TempDir Path folder) throws Exception {
    try (HikariDataSource database = new HikariDataSource()) {
      database.setJdbcUrl(
          "jdbc:h2:file:" + folder.resolve("shop") + ";WRITE_DELAY=0;REUSE_SPACE=FALSE");
      try (var connection = database.getConnection();
          var statement = connection.createStatement()) {
        statement.execute("CREATE TABLE placed_order (content VARBINARY(100))");
      }
      try (JdbcDedupStore store =
              JdbcDedupStore.builder(database).createIfAbsent().build();
          ExecutorPageOrders orders = new ExecutorPageOrders(store)) {
        Response first = orders.post("ann", "1", bytes("one"));

        assertThat(first.status()).isEqualTo(201);
        assertThat(orders.post("ann", "1", bytes("one"))).isEqualTo(first);
        assertThat(orders.post("ann", "1", bytes("two")).status()).isEqualTo(422);
        assertThat(orders.post("bob", "1", bytes("one"))).isNotEqualTo(first);
        assertThat(orders.post("ann/1", "2", bytes("one")))
            .isNotEqualTo(orders.post("ann", "1/2", bytes("one")));
      }
      try (var connection = database.getConnection();
          var statement = connection.createStatement();
          var rows = statement.executeQuery("SELECT COUNT(*) FROM placed_order")) {
        rows.next();
        assertThat(rows.getInt(1)).isEqualTo(4);
      }
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
