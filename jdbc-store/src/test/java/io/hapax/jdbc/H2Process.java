package io.hapax.jdbc;

import io.hapax.servers.Loopback;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.h2.tools.Server;

/** H2 as a server in a JVM of its own, which ends with this one, and whose database is a file. */
final class H2Process implements AutoCloseable {

  private final Path directory;
  private final int port;
  private Process process;

  H2Process(Path directory) {
    this.directory = directory;
    this.port = Loopback.freePort();
    this.process = launch();
  }

  /** What the child runs; its standard input ends with its parent. */
  public static void main(String[] arguments) throws SQLException, IOException {
    Server.createTcpServer("-tcpPort", arguments[0], "-ifNotExists", "-baseDir", arguments[1])
        .start();
    System.out.write('!');
    System.out.flush();
    while (System.in.read() >= 0) {
      // Whoever started this one lives.
    }
    Runtime.getRuntime().halt(0);
  }

  /**
   * Returns the server. The limit of the client is above every wait for locks and for a busy disk:
   * a call that gives up leaves its statement running in the server, and its repetition adds
   * another.
   */
  DatabaseServer server() {
    String url = "jdbc:h2:tcp://localhost:" + port + "/./marks;WRITE_DELAY=0;REUSE_SPACE=FALSE";
    return new DatabaseServer(url, port, "sa", "", ";NETWORK_TIMEOUT=20000");
  }

  private Process launch() {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    ProcessBuilder builder = new ProcessBuilder(List.of(
            java,
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            H2Process.class.getName(),
            Integer.toString(port),
            directory.toString()))
        .redirectError(ProcessBuilder.Redirect.INHERIT);
    try {
      Process started = builder.start();
      InputStream said = started.getInputStream();
      if (said.read() != '!') {
        throw new IllegalStateException("H2 did not start, status " + started.waitFor());
      }
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  void kill() {
    try {
      process.destroyForcibly().waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  void restart() {
    process = launch();
  }

  @Override
  public void close() {
    kill();
  }
}
