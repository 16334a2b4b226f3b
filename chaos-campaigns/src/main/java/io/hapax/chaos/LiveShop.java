package io.hapax.chaos;

import io.hapax.chaos.live.LiveStore;
import io.hapax.servers.LocalServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * The store of the live demo.
 *
 * @param shop the database with the ledger
 * @param servers the servers of the marks
 */
record LiveShop(ShopDatabase shop, List<LocalServer> servers) implements LiveStore {

  LiveShop {
    servers = List.copyOf(servers);
  }

  @Override
  public void kill() {
    servers.forEach(LocalServer::kill);
  }

  @Override
  public void restart() {
    servers.forEach(LocalServer::restart);
  }

  @Override
  public Connection connect() throws SQLException {
    return shop.connect();
  }
}
