package io.hapax.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.servers.LocalServer;
import io.hapax.testkit.RestartableStoreFixture;
import java.time.Duration;
import java.util.function.Supplier;

/** A fixture on a server of its own, which ends with it. */
final class RestartableJdbcFixture extends JdbcFixture implements RestartableStoreFixture {

  /**
   * The lock timeout, far below the timeout of every client. A client that times out leaves its
   * statement waiting in the server, with the locks that it holds. All other clients would then
   * wait for these locks and time out too. A claim that waits longer for a lock is answered
   * {@code Busy} and is sent again.
   */
  private static final Duration LOCK_WAIT = Duration.ofSeconds(2);

  private final LocalServer server;

  RestartableJdbcFixture(DatabaseServer at, LocalServer server) {
    this(() -> withShortTimeout(Databases.pool(at, at.port())), server);
  }

  private RestartableJdbcFixture(Supplier<HikariDataSource> pools, LocalServer server) {
    super(pools, LOCK_WAIT);
    this.server = server;
  }

  /**
   * Both stores share one connection. If several connections write, a kill of H2 can leave rows
   * locked for ever by transactions that no longer exist (docs/sql.md).
   */
  static RestartableJdbcFixture sharingOneConnection(DatabaseServer at, LocalServer server) {
    HikariDataSource pool = Databases.pool(at, at.port());
    pool.setMaximumPoolSize(1);
    return new RestartableJdbcFixture(() -> pool, server);
  }

  /** A wait for a connection to a dead server ends soon. */
  private static HikariDataSource withShortTimeout(HikariDataSource pool) {
    pool.setConnectionTimeout(2000);
    return pool;
  }

  @Override
  public void killServer() {
    server.kill();
  }

  @Override
  public void restartServer() {
    server.restart();
  }

  @Override
  public void close() {
    super.close();
    server.close();
  }
}
