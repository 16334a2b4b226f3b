package io.hapax.demo;

import java.util.Optional;

/** The database that holds the shop's own tables, and for most stores the marks too. */
enum ShopKind {
  /** A file, opened inside the consumer's process: it dies together with its consumer. */
  H2("""
      SELECT 'H2 ' || H2VERSION() || ', one file, WRITE_DELAY=' || setting_value
      FROM information_schema.settings WHERE setting_name = 'WRITE_DELAY'"""),
  /** A server of its own. */
  POSTGRES("""
      SELECT 'PostgreSQL ' || current_setting('server_version')
        || ', fsync=' || current_setting('fsync')
        || ', synchronous_commit=' || current_setting('synchronous_commit')""", """
      SELECT count(*) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()"""),
  /** A server of its own, through MariaDB's own driver. */
  MARIADB("""
      SELECT CONCAT('MariaDB ', REPLACE(version(), '-MariaDB', ''),
        ', innodb_flush_log_at_trx_commit=', @@innodb_flush_log_at_trx_commit,
        ', innodb_doublewrite=', @@innodb_doublewrite)""", """
      SELECT count(*) FROM information_schema.processlist
      WHERE db = database() AND id <> connection_id()""");

  private final String durability;
  private final Optional<String> otherSessions;

  ShopKind(String durability) {
    this.durability = durability;
    this.otherSessions = Optional.empty();
  }

  ShopKind(String durability, String otherSessions) {
    this.durability = durability;
    this.otherSessions = Optional.of(otherSessions);
  }

  /** The query for what keeps a committed row from being forgotten, as a text for people. */
  String durability() {
    return durability;
  }

  /** The query for the number of other sessions; empty where none outlives its process. */
  Optional<String> otherSessions() {
    return otherSessions;
  }
}
