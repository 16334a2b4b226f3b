package io.hapax.demo;

import com.zaxxer.hikari.HikariConfig;

/** The pool through which a consumer writes to the shop's database. */
final class ShopPool {

  private static final String H2 = "jdbc:h2:";

  /** The default of half a minute would hide for as long that the database is away. */
  private static final int PATIENCE_MILLIS = 5_000;

  /** One for each worker, and some for claims, renewals and the purge. */
  private static final int CONNECTIONS = 10;

  private ShopPool() {}

  /**
   * One connection for H2, several for a server. What H2 stores at a commit is consistent in itself
   * only as long as nobody else writes meanwhile: it takes one table and one undo log after the
   * other. Killed before the next commit, it may come back with a part of somebody's open
   * transaction and without the means to undo it (H2's issue 2080).
   */
  static HikariConfig of(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setConnectionTimeout(PATIENCE_MILLIS);
    config.setMaximumPoolSize(url.startsWith(H2) ? 1 : CONNECTIONS);
    return config;
  }
}
