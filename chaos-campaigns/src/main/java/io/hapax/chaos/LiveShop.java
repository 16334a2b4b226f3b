package io.hapax.chaos;

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
record LiveShop(ShopDatabase shop, List<LocalServer> servers) {

  LiveShop {
    servers = List.copyOf(servers);
  }

  /** Kills the servers of the store with SIGKILL. */
  void kill() {
    servers.forEach(LocalServer::kill);
  }

  /** Starts the servers again on their data, and returns when they answer. */
  void restart() {
    servers.forEach(LocalServer::restart);
  }

  Connection connect() throws SQLException {
    return shop.connect();
  }
}
