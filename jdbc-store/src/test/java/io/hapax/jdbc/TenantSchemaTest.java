package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.MarkState;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A handler that changes the schema of its session, where each schema has a table of marks. */
@ParameterizedClass
@EnumSource(names = {"H2", "POSTGRES", "MARIADB", "MYSQL_DRIVER"})
class TenantSchemaTest extends StoreTests {

  private static final String TABLE = "tenant_marks";

  private final String suffix = UUID.randomUUID().toString().substring(0, 8);

  /** The pool has one connection, so that the next message meets what a handler leaves in it. */
  @Test
  void a_message_takes_effect_once_whatever_schema_its_handler_leaves_behind() throws SQLException {
    try (HikariDataSource pool = database.pool()) {
      pool.setMaximumPoolSize(1);
      JdbcDedupStore store = storeAmongTenants(pool);
      List<ClaimAnswer> answers = new ArrayList<>();
      List<String> effects = new ArrayList<>();

      for (String tenant : List.of(tenant(1), tenant(2), tenant(1))) {
        answers.addAll(store.runOnce(List.of(request("order")), (connection, acquired) -> {
          execute(connection, changeTo(tenant));
          effects.add(tenant);
        }));
      }

      assertThat(effects).containsExactly(tenant(1));
      assertThat(answers).hasSize(3);
      assertThat(answers.subList(1, 3))
          .allSatisfy(answer -> assertThat(answer).isInstanceOf(ClaimAnswer.Done.class));
      assertThat(store.claim(List.of(request("order")), LEASE))
          .singleElement()
          .isInstanceOf(ClaimAnswer.Done.class);
      assertThat(store.find(List.of(key("order"))).get(0).orElseThrow().state())
          .isEqualTo(MarkState.DONE);
    }
  }

  private String tenant(int number) {
    return "tenant_" + number + "_" + suffix;
  }

  private String changeTo(String schema) {
    return switch (database.product) {
      case H2 -> "SET SCHEMA " + schema;
      case POSTGRES -> "SET search_path TO " + schema;
      case MARIADB -> "USE " + schema;
    };
  }

  /** A store in the session's own schema, beside two others that have a table of the same name. */
  private JdbcDedupStore storeAmongTenants(HikariDataSource pool) {
    for (String tenant : List.of(tenant(1), tenant(2))) {
      Jdbi.create(pool).useHandle(handle -> handle.execute("CREATE SCHEMA " + tenant));
      builder(pool).table(tenant + "." + TABLE).createIfAbsent().build();
    }
    return builder(pool).table(TABLE).createIfAbsent().build();
  }
}
