package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A handler that changes the schema of its session, where each schema has a table of marks. */
class TenantSchemaTest {

  private static final String TABLE = "tenant_marks";

  @SuppressWarnings("ImmutableEnumChecker") // lambdas without a state
  enum Database {
    POSTGRES(Databases::postgres, "SET search_path TO "),
    MARIADB(Databases::mariaDb, "USE "),
    MYSQL_DRIVER(Databases::mysqlDriver, "USE "),
    H2(() -> Databases.h2("jdbc:h2:mem:tenants;DB_CLOSE_DELAY=-1"), "SET SCHEMA ");

    private final Supplier<HikariDataSource> open;
    private final String change;

    Database(Supplier<HikariDataSource> open, String change) {
      this.open = open;
      this.change = change;
    }

    /** One connection, so that what a handler leaves in its session meets the next message. */
    HikariDataSource pool() {
      HikariDataSource pool = open.get();
      pool.setMaximumPoolSize(1);
      return pool;
    }
  }

  private final String suffix = UUID.randomUUID().toString().substring(0, 8);

  @ParameterizedTest
  @EnumSource
  void a_message_takes_effect_once_whatever_schema_its_handler_leaves_behind(Database database)
      throws SQLException {
    try (HikariDataSource pool = database.pool();
        JdbcDedupStore store = storeAmongTenants(pool)) {
      MessageKey key = MessageKey.of("billing", "order-" + suffix);
      List<ClaimAnswer> answers = new ArrayList<>();
      List<String> effects = new ArrayList<>();

      for (String tenant : List.of(tenant(1), tenant(2), tenant(1))) {
        answers.addAll(store.runOnce(List.of(request(key)), (connection, acquired) -> {
          try (Statement statement = connection.createStatement()) {
            statement.execute(database.change + tenant);
          }
          effects.add(tenant);
        }));
      }

      assertThat(effects).containsExactly(tenant(1));
      assertThat(answers).hasSize(3);
      assertThat(answers.subList(1, 3))
          .allSatisfy(answer -> assertThat(answer).isInstanceOf(ClaimAnswer.Done.class));
      assertThat(store.claim(List.of(request(key)), Duration.ofSeconds(30)))
          .singleElement()
          .isInstanceOf(ClaimAnswer.Done.class);
      assertThat(store.find(List.of(key)).get(0).orElseThrow().state()).isEqualTo(MarkState.DONE);
    }
  }

  private String tenant(int number) {
    return "tenant_" + number + "_" + suffix;
  }

  /** A store in the session's own schema, beside two others that have a table of the same name. */
  private JdbcDedupStore storeAmongTenants(HikariDataSource pool) {
    for (String tenant : List.of(tenant(1), tenant(2))) {
      Jdbi.create(pool).useHandle(handle -> handle.execute("CREATE SCHEMA " + tenant));
      builder(pool).table(tenant + "." + TABLE).build().close();
    }
    return builder(pool).table(TABLE).build();
  }

  private static JdbcDedupStoreBuilder builder(HikariDataSource pool) {
    return JdbcDedupStore.builder(pool).createIfAbsent().allowVolatile(true).noBackgroundPurge();
  }

  private static ClaimRequest request(MessageKey key) {
    UUID nonce = UUID.randomUUID();
    return new ClaimRequest(
        key,
        new Nonce(nonce.getMostSignificantBits(), nonce.getLeastSignificantBits()),
        Fingerprint.NONE,
        Origin.NONE,
        new ClaimTerms(false, false, ClaimTerms.ANY_TIME));
  }
}
