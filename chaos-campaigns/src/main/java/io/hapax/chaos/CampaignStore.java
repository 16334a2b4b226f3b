package io.hapax.chaos;

import io.hapax.demo.Mode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

enum CampaignStore {
  /** Marks and shop in one H2 file. Its engine runs in the consumer's process and dies with it. */
  H2("SELECT 'H2 ' || H2VERSION() || ', one file, '" + CampaignStore.SETTINGS_OF_H2, "", ""),
  /** Marks and shop in one database behind H2's server, which owns the file. */
  H2_SERVER(
      "SELECT 'the server of H2 ' || H2VERSION() || ', '" + CampaignStore.SETTINGS_OF_H2,
      """
      SELECT count(*) FROM information_schema.sessions
      WHERE session_id <> session_id()""",
      " AND executing_statement IS NOT NULL"),
  POSTGRES("""
      SELECT 'PostgreSQL ' || current_setting('server_version')
        || ', fsync=' || current_setting('fsync')
        || ', synchronous_commit=' || current_setting('synchronous_commit')""", """
      SELECT count(*) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()""", " AND state = 'active'"),
  MARIADB("""
      SELECT CONCAT('MariaDB ', REPLACE(version(), '-MariaDB', ''),
        ', innodb_flush_log_at_trx_commit=', @@innodb_flush_log_at_trx_commit,
        ', innodb_doublewrite=', @@innodb_doublewrite)""", """
      SELECT count(*) FROM information_schema.processlist
      WHERE db = database() AND id <> connection_id()""", " AND command <> 'Sleep'"),
  /** Marks in Redis. An effect must be a row that can be counted, so the shop is in PostgreSQL. */
  REDIS(POSTGRES),
  REDIS_CLUSTER(POSTGRES);

  private static final String SETTINGS_OF_H2 = """
       || LISTAGG(DISTINCT setting_name || '=' || setting_value, ', ')
        WITHIN GROUP (ORDER BY setting_name || '=' || setting_value DESC)
      FROM information_schema.settings WHERE setting_name IN ('WRITE_DELAY', 'REUSE_SPACE')""";

  private final CampaignStore shop;
  private final String durability;
  private final String otherSessions;
  private final String atWork;

  CampaignStore(String durability, String otherSessions, String atWork) {
    this.shop = this;
    this.durability = durability;
    this.otherSessions = otherSessions;
    this.atWork = atWork;
  }

  CampaignStore(CampaignStore shop) {
    this.shop = shop;
    this.durability = shop.durability;
    this.otherSessions = shop.otherSessions;
    this.atWork = shop.atWork;
  }

  CampaignStore shop() {
    return shop;
  }

  boolean hasServer() {
    return this != H2;
  }

  boolean marksInShop() {
    return shop == this;
  }

  /** Returns the possible modes, the strongest guarantee first. */
  List<Mode> modes() {
    return marksInShop() ? List.of(Mode.TRANSACTIONAL, Mode.LEASED) : List.of(Mode.LEASED);
  }

  /** Returns whether the shop's database shows the consumer name of each session. */
  boolean namesSessions() {
    return shop == POSTGRES;
  }

  boolean endsIdleTransactions() {
    return shop == POSTGRES || shop == MARIADB;
  }

  String urlFor(String url, String consumer) {
    return namesSessions() ? url + "&ApplicationName=" + consumer : url;
  }

  String durability() {
    return durability;
  }

  /** Returns the query for the number of other sessions, at work or all, of one consumer or all. */
  Optional<String> otherSessions(boolean active, Optional<String> consumer) {
    return Optional.of(otherSessions)
        .filter(query -> !query.isEmpty())
        .map(query -> query
            + (active ? atWork : "")
            + consumer.map(name -> " AND application_name = '" + name + '\'').orElse(""));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
