package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.MarkQuery;
import io.hapax.store.StoreContentionException;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.h2.api.Trigger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests H2 in the modes of other databases, and with a trigger on the table of marks. */
@TestDatabase.OnH2
class H2ModeTest extends StoreTests {

  /** Makes a mark a microsecond older. */
  public static final class Older implements Trigger {

    private static final int UNTIL_US = 5;

    @Override
    public void fire(
        Connection connection, @Nullable Object @Nullable [] before, @Nullable Object[] after) {
      after[UNTIL_US] = (Long) after[UNTIL_US] - 1;
    }
  }

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

  /** A trigger changed the row, so neither the row nor the count shows which call wrote it. */
  @Test
  void a_mark_that_may_be_our_own_write_is_not_done_without_its_effect() throws Exception {
    fixture.execute("CREATE TRIGGER older_" + fixture.table() + " BEFORE INSERT ON "
        + fixture.table() + " FOR EACH ROW CALL '" + Older.class.getName() + "'");
    List<String> ids = List.of("raced", "ours");
    AtomicBoolean raced = new AtomicBoolean();
    try (HikariDataSource pool = Databases.h2InMemory()) {
      JdbcDedupStore slow = fixture.storeOn(InterceptedDriver.with(pool, (on, deed, call) -> {
        if (InterceptedDriver.insertsMarks(deed) && raced.compareAndSet(false, true)) {
          runOnce("raced");
        }
        return call.call();
      }));

      Throwable failure =
          catchThrowable(() -> runOnce(slow, ids.stream().map(this::request).toList()));

      assertThat(ids.stream().filter(id -> state(id) == MarkState.DONE))
          .allSatisfy(id -> assertThat(effects(id)).as(id).isOne());
      assertThat(failure)
          .isInstanceOf(StoreContentionException.class)
          .hasMessageContaining("trigger");

      runOnce(slow, ids.stream().map(this::request).toList());
      assertThat(ids).allSatisfy(id -> assertThat(effects(id)).as(id).isOne());
    }
  }
}
