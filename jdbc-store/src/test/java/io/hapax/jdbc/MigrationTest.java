package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import liquibase.Scope;
import liquibase.command.CommandScope;
import liquibase.command.core.UpdateCommandStep;
import liquibase.command.core.helpers.DbUrlConnectionArgumentsCommandStep;
import liquibase.database.Database;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.ui.LoggerUIService;
import org.flywaydb.core.Flyway;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The files for Flyway and Liquibase, run by both as the manual says, and the expanded SQL of each
 * dialect beside a committed file, so that a change of a template shows in review as the SQL that
 * it makes. After a change that is meant, write the files anew:
 *
 * <pre>{@code
 * ./mvnw -pl jdbc-store -am test -Dtest=MigrationTest -Dsurefire.failIfNoSpecifiedTests=false \
 *   -Dhapax.golden=write
 * }</pre>
 */
class MigrationTest {

  private static final Path FILES = Path.of("src/test/resources/io/hapax/jdbc/golden");
  private static final boolean WRITE = "write".equals(System.getProperty("hapax.golden"));

  private static final Map<String, Dialect> DIALECTS = Map.of(
      "h2", new H2Dialect(),
      "postgresql", new PostgresDialect(),
      "mysql",
          new MySqlDialect(
              new MySqlTransaction.Variables("transaction_isolation", List.of()), 1 << 24));

  /** Records the statements that it expands. */
  private static final class Recording extends SqlTemplates {

    private final List<String> expanded = new ArrayList<>();

    Recording(Dialect dialect) {
      super(dialect, JdbcSettings.DEFAULT, "hapax_marks");
    }

    @Override
    String text(String template) {
      String sql = super.text(template);
      expanded.add(sql);
      return sql;
    }
  }

  @FunctionalInterface
  private interface Migration {
    void run(HikariDataSource pool) throws Exception;
  }

  /** In a database that holds a table of the user's already; the second run finds all done. */
  private static void makesTheTable(HikariDataSource database, Migration migration)
      throws Exception {
    try (HikariDataSource pool = database) {
      Jdbi.create(pool).useHandle(handle -> handle.execute("CREATE TABLE orders (id INT)"));

      migration.run(pool);
      migration.run(pool);

      try (JdbcDedupStore store =
          JdbcDedupStore.builder(pool).allowVolatile(true).build()) {
        assertThat(store.purge(1)).isZero();
      }
    }
  }

  private static String fresh() {
    return "fresh_" + UUID.randomUUID().toString().substring(0, 8);
  }

  private static HikariDataSource freshOf(TestDatabase database) {
    return switch (database) {
      case H2 -> Databases.h2("jdbc:h2:mem:" + fresh() + ";DB_CLOSE_DELAY=-1");
      case POSTGRES -> {
        String schema = fresh();
        try (HikariDataSource pool = Databases.postgres()) {
          Jdbi.create(pool).useHandle(handle -> handle.execute("CREATE SCHEMA " + schema));
        }
        yield Databases.postgresWith("search_path=" + schema);
      }
      case MARIADB -> Databases.mariaDbDatabase(fresh());
      default -> Databases.mysqlDriverDatabase(fresh());
    };
  }

  private static Migration flyway(String folder) {
    return pool -> Flyway.configure()
        .dataSource(pool)
        .locations("classpath:io/hapax/jdbc/flyway/" + folder)
        .table("hapax_schema_history")
        .baselineOnMigrate(true)
        .baselineVersion("0")
        .load()
        .migrate();
  }

  @ParameterizedTest
  @CsvSource({"H2, h2", "POSTGRES, postgresql", "MARIADB, mariadb", "MYSQL_DRIVER, mysql"})
  void flyway_makes_the_table(TestDatabase database, String folder) throws Exception {
    makesTheTable(freshOf(database), flyway(folder));
  }

  private static final Logger LIQUIBASE = Logger.getLogger("liquibase");

  private static void liquibase(DataSource pool) throws Exception {
    System.setProperty("liquibase.analytics.enabled", "false");
    LIQUIBASE.setLevel(Level.OFF);
    Scope.child(Scope.Attr.ui, new LoggerUIService(), () -> update(pool));
  }

  private static void update(DataSource pool) throws Exception {
    try (Connection connection = pool.getConnection()) {
      Database database = DatabaseFactory.getInstance()
          .findCorrectDatabaseImplementation(new JdbcConnection(connection));
      new CommandScope(UpdateCommandStep.COMMAND_NAME)
          .addArgumentValue(DbUrlConnectionArgumentsCommandStep.DATABASE_ARG, database)
          .addArgumentValue(
              UpdateCommandStep.CHANGELOG_FILE_ARG, "io/hapax/jdbc/liquibase/hapax.xml")
          .execute();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"H2", "POSTGRES", "MARIADB", "MYSQL_DRIVER"})
  void liquibase_makes_the_table(TestDatabase database) throws Exception {
    makesTheTable(freshOf(database), MigrationTest::liquibase);
  }

  @Test
  void the_files_say_what_the_store_itself_would_run() throws IOException {
    Map<String, String> scripts = Map.of(
        "h2",
        "h2.sql",
        "postgresql",
        "postgresql.sql",
        "mysql",
        "mysql.sql",
        "mariadb",
        "mysql.sql");
    for (Map.Entry<String, String> each : scripts.entrySet()) {
      String own = resource(each.getValue())
          .replace("${table}", "hapax_marks")
          .replace("${index}", "hapax_marks_expires_at_us");
      String file = resource("flyway/" + each.getKey() + "/V1__hapax_marks.sql");

      assertThat(statement(file)).as(each.getKey()).isEqualTo(statement(own));
    }
  }

  private static String statement(String script) {
    String text = script.strip();
    return text.endsWith(";") ? text.substring(0, text.length() - 1) : text;
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = JdbcDedupStore.class.getResourceAsStream(name)) {
      assertThat(in).as(name).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String expanded(String name) {
    Dialect dialect = Objects.requireNonNull(DIALECTS.get(name));
    Recording templates = new Recording(dialect);
    var unused = new Statements(dialect, JdbcSettings.DEFAULT, templates);
    return templates.expanded.stream()
        .map(sql -> sql.strip() + ";\n")
        .collect(Collectors.joining("\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "postgresql", "mysql"})
  void the_expanded_statements_are_those_of_the_golden_file(String dialect) throws IOException {
    Path file = FILES.resolve(dialect + ".sql");
    if (WRITE) {
      Files.writeString(file, expanded(dialect));
    }

    assertThat(expanded(dialect))
        .as("-Dhapax.golden=write writes %s anew", file)
        .isEqualTo(Files.readString(file));
  }
}
