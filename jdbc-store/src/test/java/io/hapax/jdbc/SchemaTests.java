package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.store.MarkQuery;
import io.hapax.store.StoreException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** Tables that the store creates, and tables that were created before. */
abstract class SchemaTests {

  private static final int NODES = 8;

  final String table = "marks_" + UUID.randomUUID().toString().substring(0, 8);

  @Parameter
  TestDatabase database;

  HikariDataSource pool;

  /** Statements that each spoil a table, and what is said of it. */
  private String spoilt() {
    return switch (database.product) {
      case H2 -> """
        ALTER TABLE ${table} DROP COLUMN detail -> column detail is missing
        ALTER TABLE ${table} ALTER COLUMN version SET DATA TYPE SMALLINT \
            -> column version is smallint but must be integer
        ALTER TABLE ${table} ALTER COLUMN owner SET DATA TYPE VARCHAR(50) \
            -> column owner is character varying(50) but must be character varying
        ALTER TABLE ${table} ALTER COLUMN scope SET NOT NULL \
            -> column scope is NOT NULL but must be nullable
        DROP INDEX ${table}_expires_at_us -> there is no index on expires_at_us
        ALTER TABLE ${table} DROP PRIMARY KEY -> k is not the primary key
        CREATE UNIQUE INDEX ${table}_by_token ON ${table} (token) -> is unique without k
        """;
      case POSTGRES -> """
        ALTER TABLE ${table} DROP COLUMN detail -> column detail is missing
        ALTER TABLE ${table} ALTER COLUMN version TYPE smallint \
            -> column version is smallint but must be integer
        ALTER TABLE ${table} ALTER COLUMN owner TYPE varchar(50) \
            -> column owner is character varying(50) but must be text
        ALTER TABLE ${table} ALTER COLUMN scope SET NOT NULL \
            -> column scope is NOT NULL but must be nullable
        DROP INDEX ${table}_expires_at_us -> there is no index on expires_at_us
        ALTER TABLE ${table} DROP CONSTRAINT ${table}_pkey -> k is not the primary key
        CREATE UNIQUE INDEX ${table}_by_id ON ${table} (scope, md5(message_id)) INCLUDE (k) \
            WHERE state = 1 -> index ${table}_by_id is unique without k
        """;
      case MARIADB -> """
        ALTER TABLE ${table} DROP COLUMN detail -> column detail is missing
        ALTER TABLE ${table} MODIFY version SMALLINT NOT NULL \
            -> column version is smallint but must be int
        ALTER TABLE ${table} MODIFY owner VARCHAR(50) \
            -> column owner is varchar(50) but must be mediumtext
        ALTER TABLE ${table} MODIFY nonce BINARY(15) NOT NULL \
            -> column nonce is binary(15) but must be binary(16)
        ALTER TABLE ${table} MODIFY scope VARCHAR(200) NOT NULL \
            -> column scope is NOT NULL but must be nullable
        ALTER TABLE ${table} DROP KEY ${table}_expires_at_us -> there is no index on expires_at_us
        ALTER TABLE ${table} DROP PRIMARY KEY -> k is not the primary key
        CREATE UNIQUE INDEX ${table}_by_id ON ${table} (scope, message_id(100)) \
            -> index ${table}_by_id is unique without k
        CREATE UNIQUE INDEX ${table}_by_part ON ${table} (k(8)) \
            -> index ${table}_by_part is unique without k
        """;
    };
  }

  /** A statement that creates a user without privileges, whose password is its name. */
  private String createUser(String name) {
    return switch (database.product) {
      case H2 -> "CREATE USER " + name + " PASSWORD '" + name + "'";
      case POSTGRES -> "CREATE ROLE " + name + " LOGIN PASSWORD '" + name + "'";
      case MARIADB -> "CREATE USER " + name + " IDENTIFIED BY '" + name + "'";
    };
  }

  @BeforeEach
  void openPool() {
    pool = database.pool();
  }

  @AfterEach
  void closePool() {
    pool.close();
  }

  private JdbcDedupStoreBuilder builder(String name) {
    return JdbcDedupStore.builder(pool).table(name).allowVolatile(true).noBackgroundPurge();
  }

  private void run(String sql) {
    Jdbi.create(pool).useHandle(handle -> handle.createScript(sql).execute());
  }

  @Test
  void many_nodes_create_the_table_at_once() throws Exception {
    ExecutorService nodes = Executors.newFixedThreadPool(NODES);
    try {
      for (int round = 0; round < 5; round++) {
        String name = table + "_" + round;
        CyclicBarrier together = new CyclicBarrier(NODES);
        List<Future<Integer>> built = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
          built.add(nodes.submit(() -> {
            together.await(60, TimeUnit.SECONDS);
            return builder(name).createIfAbsent().build().purge(1);
          }));
        }
        for (Future<Integer> each : built) {
          assertThat(each.get(120, TimeUnit.SECONDS)).isZero();
        }
      }
    } finally {
      nodes.shutdownNow();
    }
  }

  @Test
  void a_table_that_does_not_fit_is_refused_with_its_faults_and_a_remedy() {
    List<String> lines = spoilt().lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      String name = table + "_" + i;
      String[] spoilt = lines.get(i).replace("${table}", name).split(" +-> ", 2);
      builder(name).createIfAbsent().build();
      run(spoilt[0]);

      assertThatThrownBy(() -> builder(name).createIfAbsent().build())
          .as(spoilt[0])
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("table " + name + " does not fit this version: ")
          .hasMessageContaining(spoilt[1])
          .hasMessageContaining("JdbcDedupStore.ddl(dataSource, table)");
    }
  }

  @Test
  void a_user_without_a_privilege_on_the_table_is_refused_by_its_name() {
    builder(table).createIfAbsent().build();
    run(createUser(table));
    DataSource limited = new BareDataSource() {
      @Override
      public Connection getConnection() throws SQLException {
        return getConnection(table, table);
      }

      @Override
      public Connection getConnection(String user, String password) throws SQLException {
        String withoutSettings = pool.getJdbcUrl().split(";", 2)[0]; // they are an administrator's
        return DriverManager.getConnection(withoutSettings, user, password);
      }
    };
    JdbcDedupStoreBuilder purging =
        JdbcDedupStore.builder(limited).table(table).allowVolatile(true);

    run("GRANT SELECT ON " + table + " TO " + table);
    assertThatThrownBy(purging::build)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("may not execute INSERT, UPDATE, DELETE on table " + table);
    JdbcDedupStore looking = JdbcDedupStore.builder(limited)
        .table(table)
        .leasedOnly()
        .noBackgroundPurge()
        .build();
    assertThat(looking.list(MarkQuery.first("orders", MarkQuery.Kind.DEAD, 10))).isEmpty();
    run("GRANT INSERT, UPDATE ON " + table + " TO " + table);
    assertThatThrownBy(purging::build)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("run GRANT DELETE ON " + table);
    run("GRANT DELETE ON " + table + " TO " + table);
    try (JdbcDedupStore store = purging.build()) {
      assertThat(store.purge(1)).isZero();
    }
  }

  @Test
  void a_table_made_with_the_script_may_have_further_columns_and_indexes() {
    run(JdbcDedupStore.ddl(pool, table));
    run("ALTER TABLE " + table + " ADD remark VARCHAR(20)");
    run("CREATE UNIQUE INDEX " + table + "_wider ON " + table + " (token, k)");

    try (JdbcDedupStore store = builder(table).build()) {
      assertThat(store.purge(1)).isZero();
    }
  }

  @Test
  void a_missing_table_is_named_with_what_to_run() {
    assertThatThrownBy(() -> builder("nowhere").build())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("table nowhere is missing")
        .hasMessageContaining("createIfAbsent()");
    assertThat(JdbcDedupStore.ddl(pool, "nowhere")).contains("CREATE TABLE IF NOT EXISTS nowhere");
  }

  @Test
  void settings_are_refused_with_name_value_and_rule() {
    assertThatThrownBy(() -> builder(table).retention(Duration.ZERO))
        .hasMessageContaining("retention is PT0S but must be");
    assertThatThrownBy(() -> builder(table).lockWait(Duration.ofMillis(-1)))
        .hasMessageContaining("lockWait is PT-0.001S but must be");
    assertThatThrownBy(() -> new PurgeSettings(Duration.ofMillis(9), 5))
        .hasMessageContaining("interval is PT0.009S but must be ten milliseconds to a day");
    assertThatThrownBy(() -> new PurgeSettings(Duration.ofDays(2), 5))
        .hasMessageContaining("interval is PT48H but must be");
    assertThatThrownBy(() -> new PurgeSettings(Duration.ofDays(1), 0))
        .hasMessageContaining("batchSize is 0 but must be 1 to 10000");
  }

  @Test
  void an_invalid_table_name_is_refused_before_any_database_call() {
    for (String hostile : List.of(
        "",
        " marks",
        "marks ",
        "marks; DROP TABLE orders",
        "marks--",
        "marks/**/",
        "ma'rks",
        "\"marks\"",
        "`marks`",
        "a.b.c",
        ".marks",
        "marks.",
        "1marks",
        "m\u00e4rks",
        "marks\n",
        "marks\0",
        "m".repeat(41),
        "s".repeat(41) + ".marks",
        "${table}")) {
      assertThatThrownBy(() -> builder(hostile))
          .as(hostile)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("table is '" + hostile + "' but must be a name of at most 40");
    }
  }
}
