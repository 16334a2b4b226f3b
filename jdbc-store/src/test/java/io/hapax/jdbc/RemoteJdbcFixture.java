package io.hapax.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.testkit.RemoteTransactionalStoreFixture;
import io.hapax.testkit.fault.FaultProxy;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;

/** A fixture on a server that further stores may reach by another way. */
final class RemoteJdbcFixture extends JdbcFixture
    implements RemoteTransactionalStoreFixture<Connection> {

  private final DatabaseServer server;
  private final List<HikariDataSource> pools = new ArrayList<>();

  RemoteJdbcFixture(DatabaseServer server) {
    super(() -> Databases.pool(server, server.port()));
    this.server = server;
  }

  @Override
  public List<Integer> ports() {
    return List.of(server.port());
  }

  /** As long as no connection can be had, the pool tries. */
  @Override
  public JdbcDedupStore through(FaultProxy proxy) {
    HikariDataSource pool = Databases.shortTimeoutPool(server, proxy.port());
    pools.add(pool);
    return storeOn(pool);
  }

  @Override
  public void close() {
    super.close();
    pools.forEach(HikariDataSource::close);
  }
}
