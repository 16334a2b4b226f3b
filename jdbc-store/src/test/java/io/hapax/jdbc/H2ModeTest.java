package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.Mark;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.MarkQuery;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Modes in which H2 imitates another database. */
@TestDatabase.OnH2
class H2ModeTest extends StoreTests {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "MODE=Oracle",
        "MODE=MSSQLServer",
        "MODE=Derby",
        "MODE=STRICT",
        "MODE=DB2",
        "MODE=HSQLDB",
        "MODE=LEGACY",
        "MODE=MySQL;DATABASE_TO_LOWER=TRUE",
        "MODE=MariaDB;DATABASE_TO_LOWER=TRUE;CASE_INSENSITIVE_IDENTIFIERS=TRUE",
        "MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH",
        "IGNORECASE=TRUE"
      })
  void the_mode_of_the_database_changes_nothing(String mode) throws Exception {
    try (HikariDataSource pool = Databases.h2("jdbc:h2:mem:" + UUID.randomUUID() + ";" + mode);
        JdbcDedupStore store = fixture.storeOn(pool)) {
      Claim claim =
          ((ClaimAnswer.Acquired) store.claim(List.of(request("a")), LEASE).get(0)).claim();
      store.renew(List.of(claim), LEASE);
      store.settle(List.of(new Settlement(claim, new Verdict.Dead("broken"))));
      store.runOnce(List.of(request("b")), (connection, answers) -> {});

      assertThat(listed(store, key("a").scope())).extracting(Mark::key).containsExactly(key("a"));
      assertThat(listed(store, key("a").scope().toUpperCase(Locale.ROOT))).isEmpty();
      assertThat(store.findDone(List.of(request("b"))).get(0)).isPresent();
      store.setClockOffset(Duration.ofDays(200));
      assertThat(store.purge(10)).isEqualTo(2);
    }
  }

  private static List<Mark> listed(JdbcDedupStore store, String scope) {
    return store.list(MarkQuery.first(scope, MarkQuery.Kind.DEAD, 10));
  }
}
