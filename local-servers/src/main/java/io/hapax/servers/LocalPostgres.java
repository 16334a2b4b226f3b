package io.hapax.servers;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
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
public final class LocalPostgres implements LocalServer {

  private static final int SILENCE_SECONDS = 30;

  private final PostgresProgram program;
  private final Lifecycle lifecycle;

  private LocalPostgres(PostgresProgram program, Lifecycle lifecycle) {
    this.program = program;
    this.lifecycle = lifecycle;
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

  @Override
  public long pid() {
    return lifecycle.pid();
  }

  @Override
  public void pause() {
    lifecycle.pause();
  }

  @Override
  public void resume() {
    lifecycle.resume();
  }

  @Override
  public void kill() {
    lifecycle.kill();
  }

  @Override
  public void restart() {
    lifecycle.restart();
  }

  @Override
  public void close() {
    lifecycle.close();
  }

  @Override
  public String toString() {
    return program.name();
  }

  /** Settings of a server that is not started yet. */
  public static final class Builder {

    private final Map<String, String> settings = new TreeMap<>();
    private @Nullable Path directory;
    private @Nullable PostgresUser user;
    private Duration startTimeout = Duration.ofSeconds(60);

    private Builder() {
      Resources.properties("io/hapax/servers/postgres.properties")
          .forEach((name, value) -> settings.put((String) name, (String) value));
    }

    /** Where data and log lie. Kept when the server is closed; the default is temporary. */
    public Builder directory(Path path) {
      this.directory = path;
      return this;
    }

    /** Sets or replaces one of the server's own settings, such as {@code wal_level}. */
    public Builder setting(String name, String value) {
      settings.put(name, value);
      return this;
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

    /** How long the server may take until it answers, at each start. The default is one minute. */
    public Builder startTimeout(Duration timeout) {
      this.startTimeout = timeout;
      return this;
    }

    Builder runAs(PostgresUser postgresUser) {
      this.user = postgresUser;
      return this;
    }

    /**
     * Starts the server and returns when it answers.
     *
     * @throws LocalServerException if it ends or stays silent; the message holds the end of its
     *     log, and nothing is left running
     */
    public LocalPostgres start() {
      Path given = directory;
      ServerDirectory place =
          given == null ? ServerDirectory.temporary("postgres") : ServerDirectory.kept(given);
      PostgresUser asWhom = user == null ? PostgresUser.best(PostgresUser.usable()) : user;
      PostgresProgram program =
          new PostgresProgram(place, Loopback.freePort(), Map.copyOf(settings), asWhom);
      Lifecycle lifecycle = new Lifecycle(program, place, startTimeout);
      lifecycle.start();
      return new LocalPostgres(program, lifecycle);
    }
  }
}
