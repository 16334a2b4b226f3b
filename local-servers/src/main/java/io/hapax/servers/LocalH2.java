package io.hapax.servers;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

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

  private static final String SERVER = "org.h2.tools.Server";

  private LocalH2(Builder<LocalH2> builder) {
    super("H2", builder);
  }

  /** Starts a server with the default settings. */
  public static LocalH2 start() {
    return builder().start();
  }

  /** Returns a builder with the default settings, under the names of H2's options. */
  public static Builder<LocalH2> builder() {
    return new Builder<>("h2", LocalH2::new);
  }

  /**
   * Returns the JDBC URL of a database for the user {@code sa} without a password. The first
   * connection creates the database. All clients must use this URL, because the settings of the
   * first one count: each commit is in the file before it is confirmed.
   */
  public String jdbcUrl(String name) {
    return "jdbc:h2:tcp://" + address() + "/./" + name
        + ";USER=sa;WRITE_DELAY=0;REUSE_SPACE=FALSE;NETWORK_TIMEOUT=20000";
  }

  @Override
  ProcessBuilder program() throws IOException {
    List<String> command = jvmCommand("384m", "-Dh2.bindAddress=" + Loopback.HOST);
    command.addAll(List.of("-cp", jar().toString(), SERVER, "-tcp", "-ifNotExists"));
    Map<String, String> options = withUserSettings(Map.of(
        "tcpPort", Integer.toString(port()),
        "baseDir", Files.createDirectories(directory().data()).toString()));
    options.forEach((name, value) -> command.addAll(List.of('-' + name, value)));
    return process(command);
  }

  private static Path jar() {
    try {
      return Path.of(Class.forName(SERVER)
          .getProtectionDomain()
          .getCodeSource()
          .getLocation()
          .toURI());
    } catch (ClassNotFoundException | URISyntaxException e) {
      throw new LocalServerException("the jar of H2 is not on the class path", e);
    }
  }

  @Override
  void probe() throws IOException {
    Loopback.connect(port()).close();
  }

  @Override
  String endSignal(boolean dataAreKept) {
    return "KILL";
  }
}
