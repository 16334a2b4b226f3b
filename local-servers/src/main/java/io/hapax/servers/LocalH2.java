package io.hapax.servers;

import java.nio.file.Path;

/**
 * H2's TCP server in its own JVM, for databases in files. The jar of H2 must be on the class path.
 *
 * <pre>{@code
 * try (LocalH2 h2 = LocalH2.start()) {
 *   ... DriverManager.getConnection(h2.jdbcUrl("shop")) ...
 * }
 * }</pre>
 *
 * <p>{@link #restart()} and {@link #close()} end the process with SIGKILL, too. If H2 2.5.252 ends
 * normally while several connections write, it can lose commits that it has confirmed. A kill can
 * tear open transactions of several connections apart.
 */
public final class LocalH2 extends LocalServer {

  private LocalH2(H2Program program, ServerPlan plan) {
    super(program, plan);
  }

  /** Starts a server on an empty temporary directory. Closing the server deletes it. */
  public static LocalH2 start() {
    return builder().start();
  }

  /**
   * Starts a server on that directory and its data, if any. The directory is created if it is
   * missing, and never deleted.
   */
  public static LocalH2 start(Path directory) {
    return builder().directory(directory).start();
  }

  /** Returns a builder with the defaults of {@link #start()}. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Returns the JDBC URL of a database for the user {@code sa} without a password. The first
   * connection creates the database. All clients must use this URL, because the settings of the
   * first one count: each commit is in the file before it is confirmed.
   */
  public String jdbcUrl(String name) {
    return "jdbc:h2:tcp://" + Loopback.HOST + ':' + port() + "/./" + name
        + ";USER=sa;WRITE_DELAY=0;REUSE_SPACE=FALSE;NETWORK_TIMEOUT=20000";
  }

  /** Settings of a server before its start, under the names of H2's options: {@code tcpPort}. */
  public static final class Builder extends LocalServer.Builder<LocalH2, Builder> {

    private Builder() {
      super("h2");
    }

    @Override
    Builder self() {
      return this;
    }

    @Override
    LocalH2 create(ServerPlan plan) {
      return new LocalH2(new H2Program(plan), plan);
    }
  }
}
