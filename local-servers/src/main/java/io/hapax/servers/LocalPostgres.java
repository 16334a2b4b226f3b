package io.hapax.servers;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A real PostgreSQL server, run from the binaries of a Maven artifact.
 *
 * <pre>{@code
 * try (LocalPostgres postgres = LocalPostgres.start()) {
 *   String url = postgres.createDatabase("orders");
 *   ... DriverManager.getConnection(url, postgres.username(), postgres.password()) ...
 * }
 * }</pre>
 *
 * <p>It is durable: a committed row is on the disk, as in production. {@link Builder#notDurable()}
 * makes it fast and forgetful. Its one user is a superuser, whose password anybody on the machine
 * can guess.
 *
 * <p>PostgreSQL refuses to run as root. So the server gets a user namespace where the machine
 * allows that; else, if this JVM runs as root, another user's id, and a directory given for it must
 * then be reachable for that user.
 */
public final class LocalPostgres extends LocalServer {

  private static final int SILENCE_SECONDS = 30;

  private final PostgresProgram program;

  private LocalPostgres(PostgresProgram program, ServerPlan plan) {
    super(program, plan);
    this.program = program;
  }

  /** Starts a durable server on an empty temporary directory, which is deleted with it. */
  public static LocalPostgres start() {
    return builder().start();
  }

  /**
   * Starts a durable server on that directory and the data in it, if any. It is made if missing,
   * and never deleted.
   */
  public static LocalPostgres start(Path directory) {
    return builder().directory(directory).start();
  }

  /** What {@link #start()} would do, to be changed before {@link Builder#start()}. */
  public static Builder builder() {
    return new Builder();
  }

  /** The JDBC URL of the database {@code postgres}, the same as long as this object lives. */
  public String jdbcUrl() {
    return program.jdbcUrl("postgres");
  }

  /** The superuser's name. */
  public String username() {
    return PostgresProgram.NAME_AND_PASSWORD;
  }

  /** The superuser's password. */
  public String password() {
    return PostgresProgram.NAME_AND_PASSWORD;
  }

  /**
   * Creates an empty database.
   *
   * @return its JDBC URL
   * @throws LocalServerException if there is one of that name, or the server is silent for half a
   *     minute
   */
  public String createDatabase(String name) {
    try (Connection connection = program.connect(SILENCE_SECONDS);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + statement.enquoteIdentifier(name, true));
      return program.jdbcUrl(name);
    } catch (SQLException e) {
      throw new LocalServerException("cannot create database " + name, e);
    }
  }

  /** Settings of a server that is not started yet. */
  public static final class Builder extends LocalServer.Builder<LocalPostgres, Builder> {

    private @Nullable PostgresUser user;

    private Builder() {
      super("postgres");
    }

    /**
     * Lets a crash of the machine take committed rows along: {@code fsync},
     * {@code synchronous_commit} and {@code full_page_writes} off. For the test of somebody who
     * must notice that.
     */
    public Builder notDurable() {
      return setting("fsync", "off")
          .setting("synchronous_commit", "off")
          .setting("full_page_writes", "off");
    }

    Builder runAs(PostgresUser postgresUser) {
      this.user = postgresUser;
      return this;
    }

    @Override
    Builder self() {
      return this;
    }

    @Override
    LocalPostgres create(ServerPlan plan) {
      PostgresUser asWhom = user == null ? PostgresUser.best(PostgresUser.usable()) : user;
      return new LocalPostgres(new PostgresProgram(plan, asWhom), plan);
    }
  }
}
