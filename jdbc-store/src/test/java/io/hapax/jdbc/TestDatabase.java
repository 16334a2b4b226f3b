package io.hapax.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.servers.LocalMariaDb;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A database to test on, and the driver that reaches it. All tests of a JVM share its server. Some
 * pools lend connections without autocommit and with an isolation of their own.
 */
enum TestDatabase {
  H2(Product.H2, ""),
  POSTGRES(Product.POSTGRES, ""),
  MARIADB(Product.MARIADB, ""),
  /** MariaDB through the driver of MySQL. */
  MYSQL_DRIVER(Product.MARIADB, ""),
  H2_READ_UNCOMMITTED(Product.H2, "READ_UNCOMMITTED"),
  H2_SERIALIZABLE(Product.H2, "SERIALIZABLE"),
  POSTGRES_REPEATABLE_READ(Product.POSTGRES, "REPEATABLE_READ"),
  POSTGRES_SERIALIZABLE(Product.POSTGRES, "SERIALIZABLE"),
  MARIADB_READ_UNCOMMITTED(Product.MARIADB, "READ_UNCOMMITTED"),
  MARIADB_SERIALIZABLE(Product.MARIADB, "SERIALIZABLE");

  /** Decides about SQL; the drivers of a product share it. */
  enum Product {
    H2("SELECT count(*) FROM INFORMATION_SCHEMA.SESSIONS WHERE BLOCKER_ID IS NOT NULL"),
    POSTGRES("SELECT count(*) FROM pg_locks WHERE NOT granted"),
    MARIADB("SELECT count(*) FROM information_schema.INNODB_TRX WHERE trx_state = 'LOCK WAIT'");

    /** A query that counts the sessions that wait for a lock. */
    final String countBlocked;

    Product(String countBlocked) {
      this.countBlocked = countBlocked;
    }
  }

  /** Runs a class on H2 and on PostgreSQL, in each build. */
  @Target(ElementType.TYPE)
  @Retention(RetentionPolicy.RUNTIME)
  @ParameterizedClass
  @EnumSource(
      value = TestDatabase.class,
      names = {"H2", "POSTGRES"})
  @interface InEachBuild {}

  /** Runs a class on H2. */
  @Target(ElementType.TYPE)
  @Retention(RetentionPolicy.RUNTIME)
  @ParameterizedClass
  @EnumSource(value = TestDatabase.class, names = "H2")
  @interface OnH2 {}

  /** Runs a class on PostgreSQL. */
  @Target(ElementType.TYPE)
  @Retention(RetentionPolicy.RUNTIME)
  @ParameterizedClass
  @EnumSource(value = TestDatabase.class, names = "POSTGRES")
  @interface OnPostgres {}

  /** Runs a class on MariaDB through either driver, not in each build. */
  @Target(ElementType.TYPE)
  @Retention(RetentionPolicy.RUNTIME)
  @ParameterizedClass
  @EnumSource(
      value = TestDatabase.class,
      names = {"MARIADB", "MYSQL_DRIVER"})
  @Tag("nightly")
  @interface OnMariaDb {}

  final Product product;
  private final String isolation;

  TestDatabase(Product product, String isolation) {
    this.product = product;
    this.isolation = isolation;
  }

  HikariDataSource pool() {
    HikariDataSource plain = switch (product) {
      case H2 -> Databases.h2InMemory();
      case POSTGRES -> Databases.postgres();
      case MARIADB -> mariaDbWith("");
    };
    return isolation.isEmpty() ? plain : Databases.isolated(plain, "TRANSACTION_" + isolation);
  }

  /** Opens a pool on MariaDB, with parameters behind the URL. */
  HikariDataSource mariaDbWith(String parameters) {
    return this == MYSQL_DRIVER
        ? Databases.mysqlDriverWith(parameters)
        : Databases.mariaDbWith(parameters);
  }

  /** Returns the shared server, which is one in this JVM for H2. */
  DatabaseServer server() {
    return switch (product) {
      case H2 -> Databases.h2Server();
      case POSTGRES -> Databases.postgresServer();
      case MARIADB ->
        this == MYSQL_DRIVER ? Databases.mysqlDriverServer() : Databases.mariaDbServer();
    };
  }

  /** Creates a database on a server of MariaDB and returns its URL for this driver. */
  String urlOn(LocalMariaDb server) {
    String url = server.createDatabase("marks");
    return this == MYSQL_DRIVER ? server.mysqlUrl("marks") : url;
  }
}
