package io.hapax.spring.transaction;

import io.hapax.servers.LocalMariaDb;
import io.hapax.servers.LocalPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** A real server with the tables of the ledger. Each is started once for this JVM. */
public enum TestDatabase {
  POSTGRES(
      "select pg_backend_pid()",
      "select count(*) from pg_stat_activity where pid = ",
      "select pg_terminate_backend(%s)") {
    @Override
    public Access access() {
      return Postgres.ACCESS;
    }
  },
  MARIADB(
      "select connection_id()",
      "select count(*) from information_schema.processlist where id = ",
      "kill %s") {
    @Override
    public Access access() {
      return MariaDb.ACCESS;
    }
  };

  private final String ownSession;
  private final String sessions;
  private final String endSession;

  TestDatabase(String ownSession, String sessions, String endSession) {
    this.ownSession = ownSession;
    this.sessions = sessions;
    this.endSession = endSession;
  }

  /** A query for the number of its own session. */
  String ownSession() {
    return ownSession;
  }

  /** A query that counts the sessions with a number. */
  String sessions(long number) {
    return sessions + number;
  }

  /** A statement that ends the session with a number. */
  String endSession(long number) {
    return endSession.formatted(number);
  }

  /** How a driver reaches a server. */
  public record Access(String url, String user, String password) {

    Connection connect() throws SQLException {
      return DriverManager.getConnection(url, user, password);
    }

    /** Returns a DataSource that opens a connection for each caller. */
    public DataSource dataSource() {
      return new DriverManagerDataSource(url, user, password);
    }

    /** Returns the properties of an application that uses the server. */
    public String[] properties() {
      return new String[] {
        "spring.datasource.url=" + url,
        "spring.datasource.username=" + user,
        "spring.datasource.password=" + password,
        "spring.datasource.hikari.maximum-pool-size=8",
        "spring.datasource.hikari.minimum-idle=0",
        "spring.main.banner-mode=off",
        "logging.level.root=warn",
        "hapax.jdbc.create-if-absent=true"
      };
    }
  }

  /** Starts the server, if it has not been started. */
  public abstract Access access();

  private static final class Postgres {
    static final LocalPostgres SERVER = LocalPostgres.start();
    static final Access ACCESS =
        withTables(new Access(SERVER.jdbcUrl(), SERVER.username(), SERVER.password()));
  }

  /** It syncs nothing to the disk, because it is never killed: with a sync each commit takes ms. */
  private static final class MariaDb {
    static final LocalMariaDb SERVER =
        LocalMariaDb.builder().setting("debug-no-sync", "ON").start();
    static final Access ACCESS = withTables(
        new Access(SERVER.createDatabase("ledger"), SERVER.username(), SERVER.password()));
  }

  /** A message may be in the ledger twice: that is what the tests look for. */
  private static Access withTables(Access access) {
    try (Connection connection = access.connect();
        Statement statement = connection.createStatement()) {
      for (String table : List.of(
          "ledger (id varchar(36) primary key, message varchar(100) not null)",
          "seat (name varchar(40) primary key)")) {
        statement.execute("create table if not exists " + table);
      }
      return access;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
