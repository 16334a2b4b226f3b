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
 * makes it faster and not durable. Its only user is a superuser with a well-known password.
 *
 * <p>PostgreSQL refuses to run as root. So the server gets a user namespace where the machine
 * allows that. Otherwise, if this JVM runs as root, the server gets another user's id. That user
 * must be able to reach a given directory.
 */
public final class LocalPostgres extends LocalServer {

  private static final int SILENCE_SECONDS = 30;

  private final PostgresProgram program;

  private LocalPostgres(PostgresProgram program, ServerPlan plan) {
    super(program, plan);
    this.program = program;
  }

  /** Starts a durable server on an empty temporary directory. Closing the server deletes it. */
  public static LocalPostgres start() {
    return builder().start();
  }

  /**
   * Starts a durable server on that directory and its data, if any. The directory is created if it
   * is missing, and never deleted.
   */
  public static LocalPostgres start(Path directory) {
    return builder().directory(directory).start();
  }

  /** Returns a builder with the defaults of {@link #start()}. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns the JDBC URL of the database {@code postgres}. It never changes. */
  public String jdbcUrl() {
    return program.jdbcUrl("postgres");
  }

  /** Returns the superuser's name. */
  public String username() {
    return PostgresProgram.NAME_AND_PASSWORD;
  }

  /** Returns the superuser's password. */
  public String password() {
    return PostgresProgram.NAME_AND_PASSWORD;
  }

  /**
   * Creates an empty database.
   *
   * @return its JDBC URL
   * @throws LocalServerException if a database of that name exists, or the server does not answer
   *     for half a minute
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

  /** Settings of a server before its start. */
  public static final class Builder extends LocalServer.Builder<LocalPostgres, Builder> {

    private @Nullable PostgresUser user;

    private Builder() {
      super("postgres");
    }

    /**
     * Permits that a crash of the machine loses committed rows: {@code fsync},
     * {@code synchronous_commit} and {@code full_page_writes} are off. For tests that must detect
     * such a server.
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
