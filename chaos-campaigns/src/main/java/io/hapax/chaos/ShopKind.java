package io.hapax.chaos;

import java.util.Optional;

/** The database that holds the shop's own tables, and for most stores the marks too. */
enum ShopKind {
  /** A file that the consumer's process opens: its engine dies with the consumer. */
  H2("""
      SELECT 'H2 ' || H2VERSION() || ', one file, '
        || LISTAGG(DISTINCT setting_name || '=' || setting_value, ', ')
          WITHIN GROUP (ORDER BY setting_name || '=' || setting_value DESC)
      FROM information_schema.settings WHERE setting_name IN ('WRITE_DELAY', 'REUSE_SPACE')"""),
  /** H2's server, which runs in its own process and owns the file. */
  H2_SERVER("""
      SELECT 'the server of H2 ' || H2VERSION() || ', '
        || LISTAGG(DISTINCT setting_name || '=' || setting_value, ', ')
          WITHIN GROUP (ORDER BY setting_name || '=' || setting_value DESC)
      FROM information_schema.settings WHERE setting_name IN ('WRITE_DELAY', 'REUSE_SPACE')""", """
      SELECT count(*) FROM information_schema.sessions
      WHERE session_id <> session_id()""", " AND executing_statement IS NOT NULL"),
  /** A server. */
  POSTGRES("""
      SELECT 'PostgreSQL ' || current_setting('server_version')
        || ', fsync=' || current_setting('fsync')
        || ', synchronous_commit=' || current_setting('synchronous_commit')""", """
      SELECT count(*) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()""", " AND state = 'active'"),
  /** A server, through MariaDB's own driver. */
  MARIADB("""
      SELECT CONCAT('MariaDB ', REPLACE(version(), '-MariaDB', ''),
        ', innodb_flush_log_at_trx_commit=', @@innodb_flush_log_at_trx_commit,
        ', innodb_doublewrite=', @@innodb_doublewrite)""", """
      SELECT count(*) FROM information_schema.processlist
      WHERE db = database() AND id <> connection_id()""", " AND command <> 'Sleep'");

  private final String durability;
  private final Optional<String> otherSessions;
  private final String atWork;

  ShopKind(String durability) {
    this.durability = durability;
    this.otherSessions = Optional.empty();
    this.atWork = "";
  }

  ShopKind(String durability, String otherSessions, String atWork) {
    this.durability = durability;
    this.otherSessions = Optional.of(otherSessions);
    this.atWork = atWork;
  }

  /** Returns the query that describes the settings for durable commits. */
  String durability() {
    return durability;
  }

  /** Returns whether the server shows the consumer name of each session. */
  boolean namesSessions() {
    return this == POSTGRES;
  }

  /** Returns whether the server ends an idle transaction. */
  boolean endsIdleTransactions() {
    return this == POSTGRES || this == MARIADB;
  }

  /**
   * Returns the JDBC URL for this consumer. If the server shows the names of sessions, the URL
   * contains the consumer name.
   */
  String urlFor(String url, String consumer) {
    return namesSessions() ? url + "&ApplicationName=" + consumer : url;
  }

  /**
   * Returns the query for the number of other sessions; empty if no session outlives its process.
   */
  Optional<String> otherSessions() {
    return otherSessions;
  }

  /** Returns the query for the number of other sessions that are active. */
  Optional<String> otherSessionsAtWork() {
    return otherSessions.map(query -> query + atWork);
  }
}
