package io.hapax.jdbc;

import com.zaxxer.hikari.HikariDataSource;

/** Pools that lend connections without autocommit and with an isolation of their own. */
enum Isolated {
  H2_READ_UNCOMMITTED,
  H2_SERIALIZABLE,
  POSTGRES_REPEATABLE_READ,
  POSTGRES_SERIALIZABLE,
  MARIADB_READ_UNCOMMITTED,
  MARIADB_SERIALIZABLE;

  HikariDataSource pool() {
    return switch (this) {
      case H2_READ_UNCOMMITTED ->
        Databases.isolated(Databases.h2InMemory(), "TRANSACTION_READ_UNCOMMITTED");
      case H2_SERIALIZABLE ->
        Databases.isolated(Databases.h2InMemory(), "TRANSACTION_SERIALIZABLE");
      case POSTGRES_REPEATABLE_READ ->
        Databases.isolated(Databases.postgres(), "TRANSACTION_REPEATABLE_READ");
      case POSTGRES_SERIALIZABLE ->
        Databases.isolated(Databases.postgres(), "TRANSACTION_SERIALIZABLE");
      case MARIADB_READ_UNCOMMITTED ->
        Databases.isolated(Databases.mariaDb(), "TRANSACTION_READ_UNCOMMITTED");
      case MARIADB_SERIALIZABLE ->
        Databases.isolated(Databases.mariaDb(), "TRANSACTION_SERIALIZABLE");
    };
  }
}
