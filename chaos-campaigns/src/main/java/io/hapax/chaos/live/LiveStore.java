package io.hapax.chaos.live;

import java.sql.Connection;
import java.sql.SQLException;

/** The servers of the store, and the database with the ledger. */
public interface LiveStore {

  /** Kills the servers of the store with SIGKILL. */
  void kill();

  /** Starts the servers again on their data, and returns when they answer. */
  void restart();

  /**
   * Connects to the database with the ledger.
   *
   * @return the connection; the caller closes it
   * @throws SQLException if the database does not answer
   */
  Connection connect() throws SQLException;
}
