package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares the expanded SQL of each dialect with a committed file, so that a change of a template
 * shows in review as the SQL that it makes. After a change that is meant, write the files anew:
 *
 * <pre>{@code
 * ./mvnw -pl jdbc-store -am test -Dtest=GoldenSqlTest -Dsurefire.failIfNoSpecifiedTests=false \
 *   -Dhapax.golden=write
 * }</pre>
 */
class GoldenSqlTest {

  private static final Path FILES = Path.of("src/test/resources/io/hapax/jdbc/golden");
  private static final boolean WRITE = "write".equals(System.getProperty("hapax.golden"));

  private static final Map<String, Dialect> DIALECTS = Map.of(
      "h2", new H2Dialect(),
      "postgresql", new PostgresDialect(),
      "mysql",
          new MySqlDialect(
              new MySqlTransaction.Variables("transaction_isolation", List.of()), 1 << 24));

  /** Templates that keep what they have expanded. */
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
