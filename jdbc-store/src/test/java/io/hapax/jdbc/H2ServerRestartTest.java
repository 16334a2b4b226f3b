package io.hapax.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.SQLException;
import org.h2.tools.Server;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/**
 * H2 behind its TCP server, in this process. It cannot be killed there: a stop ends every
 * connection, and the database is opened again from its file.
 */
@Tag("nightly")
class H2ServerRestartTest extends ServerRestartTests {

  @TempDir
  private Path directory;

  private Server server = startAt("0");

  @Override
  HikariDataSource start() {
    return Databases.h2("jdbc:h2:tcp://localhost:" + server.getPort() + "/"
        + directory.resolve("marks") + ";WRITE_DELAY=0;REUSE_SPACE=FALSE");
  }

  private static Server startAt(String port) {
    try {
      return Server.createTcpServer("-tcpPort", port, "-ifNotExists").start();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  void kill() {
    server.stop();
  }

  @Override
  void restart() {
    int port = server.getPort();
    server.stop();
    server = startAt(Integer.toString(port));
  }

  @Override
  void stop() {
    server.stop();
  }
}
