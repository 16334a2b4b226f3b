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

  private final Runnable kill;
  private final Runnable restart;
  private final Runnable end;

  RestartableJdbcFixture(DatabaseServer at, LocalServer server) {
    this(
        () -> withShortTimeout(Databases.pool(at, at.port())),
        server::kill,
        server::restart,
        server::close);
  }

  /**
   * Both stores share one connection. If several connections write, a kill of H2 can leave rows
   * locked for ever by transactions that no longer exist (docs/sql.md).
   */
  RestartableJdbcFixture(DatabaseServer at, H2Process server) {
    this(sharedConnection(at), server::kill, server::restart, server::close);
  }

  private RestartableJdbcFixture(
      Supplier<HikariDataSource> pools, Runnable kill, Runnable restart, Runnable end) {
    super(pools, LOCK_WAIT);
    this.kill = kill;
    this.restart = restart;
    this.end = end;
  }

  private static Supplier<HikariDataSource> sharedConnection(DatabaseServer at) {
    HikariDataSource pool = Databases.pool(at, at.port());
    pool.setMaximumPoolSize(1);
    return () -> pool;
  }

  /** Who waits for a connection to a dead server learns soon that there is none. */
  private static HikariDataSource withShortTimeout(HikariDataSource pool) {
    pool.setConnectionTimeout(2000);
    return pool;
  }

  @Override
  public void killServer() {
    kill.run();
  }

  @Override
  public void restartServer() {
    restart.run();
  }

  @Override
  public void close() {
    super.close();
    end.run();
  }
}
