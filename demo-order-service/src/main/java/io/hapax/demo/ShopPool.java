package io.hapax.demo;

import com.zaxxer.hikari.HikariConfig;

/** The connection pool of a consumer to the shop's database. */
public final class ShopPool {

  private static final String H2 = "jdbc:h2:";
  private static final String H2_SERVER = "jdbc:h2:tcp:";

  /** The default of half a minute would hide an outage of the database for as long. */
  private static final int TIMEOUT_MILLIS = 5_000;

  /** One for each worker, and some for claims, renewals and the purge. */
  private static final int CONNECTIONS = 10;

  private ShopPool() {}

  /**
   * Returns the settings of a pool: one connection for H2, several for a server. H2 writes a commit
   * table by table. It is consistent only if no other connection writes meanwhile. Killed before
   * the next commit, H2 may come back with a part of another open transaction that it cannot undo
   * (H2's issue 2080).
   */
  public static HikariConfig of(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setConnectionTimeout(TIMEOUT_MILLIS);
    config.setMaximumPoolSize(url.startsWith(H2) ? 1 : CONNECTIONS);
    if (url.startsWith(H2_SERVER)) {
      config.setExceptionOverrideClassName(H2Disconnections.class.getName());
    }
    return config;
  }
}
