package io.hapax.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.servers.LocalMariaDb;

/** A driver through which a test reaches MariaDB. */
enum MariaDbDriver {
  /** MariaDB's own driver. */
  MARIADB {
    @Override
    HikariDataSource poolWith(String parameters) {
      return Databases.mariaDbWith(parameters);
    }

    @Override
    DatabaseServer server() {
      return Databases.mariaDbServer();
    }

    @Override
    String url(LocalMariaDb server) {
      return server.createDatabase("marks");
    }
  },
  /** The driver of MySQL. */
  MYSQL {
    @Override
    HikariDataSource poolWith(String parameters) {
      return Databases.mysqlDriverWith(parameters);
    }

    @Override
    DatabaseServer server() {
      return Databases.mysqlDriverServer();
    }

    @Override
    String url(LocalMariaDb server) {
      server.createDatabase("marks");
      return server.mysqlUrl("marks");
    }
  };

  final HikariDataSource pool() {
    return poolWith("");
  }

  /** With parameters behind the URL. */
  abstract HikariDataSource poolWith(String parameters);

  /** The shared server. */
  abstract DatabaseServer server();

  /** The URL of a new database on a server of the test's own. */
  abstract String url(LocalMariaDb server);
}
