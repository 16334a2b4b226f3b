package io.hapax.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import javax.sql.DataSource;

/** Looks a database over before it is used, and makes its table. */
final class Schema {

  private final DataSource dataSource;
  private final JdbcSettings settings;

  Schema(DataSource dataSource, JdbcSettings settings) {
    this.dataSource = dataSource;
    this.settings = settings;
  }

  @FunctionalInterface
  private interface Look<R> {
    R at(Connection connection) throws SQLException;
  }

  private <R> R look(String what, Look<R> look) {
    try (Connection connection = dataSource.getConnection()) {
      Dialect.Restore restore = Transactions.autocommit(connection, true);
      try {
        return look.at(connection);
      } finally {
        restore.restore();
      }
    } catch (SQLException e) {
      throw SqlTrouble.during(what, e, settings);
    }
  }

  /** The dialect of a database that keeps what it commits. */
  Dialect check() {
    return look("looking at the database", connection -> {
      Dialect dialect = Dialect.of(connection);
      if (!settings.leasedOnly() && !settings.volatileAllowed()) {
        Optional<String> forgetfulness = dialect.forgetfulness(connection);
        if (forgetfulness.isPresent()) {
          throw new IllegalStateException("the database may forget a commit: "
              + forgetfulness.get()
              + "; or build the store with leasedOnly(), or insist with allowVolatile(true)");
        }
      }
      return dialect;
    });
  }

  void checkTable() {
    look("looking for the table", connection -> {
      try (Statement statement = connection.createStatement()) {
        return statement.execute("SELECT k FROM " + settings.table() + " WHERE 1 = 0");
      }
    });
  }

  String script() {
    return look("looking at the database", connection -> script(Dialect.of(connection)));
  }

  private String script(Dialect dialect) {
    String table = settings.table();
    try (InputStream resource = Schema.class.getResourceAsStream(dialect.ddl())) {
      if (resource == null) {
        throw new IllegalStateException(dialect.ddl() + " is missing in the class path");
      }
      return new String(resource.readAllBytes(), StandardCharsets.UTF_8)
          .replace("${table}", table)
          .replace("${index}", dialect.index(table, "_expires_at_us"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Nodes that create it at once may get in each other's way; the second try then finds it. */
  void createIfAbsent() {
    look("creating the table", connection -> {
      String script = script(Dialect.of(connection));
      try (Statement statement = connection.createStatement()) {
        return statement.execute(script);
      } catch (SQLException first) {
        try (Statement statement = connection.createStatement()) {
          return statement.execute(script);
        } catch (SQLException second) {
          second.addSuppressed(first);
          throw second;
        }
      }
    });
  }
}
