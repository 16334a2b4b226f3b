package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.mark.Claim;
import io.hapax.mark.MarkState;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Verdict;
import io.hapax.store.MarkQuery;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions in other modes than ours, through either driver. */
@ParameterizedClass
@EnumSource(names = {"MARIADB", "MYSQL_DRIVER"})
class MariaDbSessionTest extends StoreTests {

  /** Else what this very transaction has marked, and cannot see, would be taken for done before. */
  @Test
  void a_session_that_cuts_results_off_marks_nothing_done_without_its_effect() {
    List<String> ids = IntStream.range(0, 40).mapToObj(i -> "m" + i).toList();
    String first = ids.stream().min(Comparator.comparing(this::key)).orElseThrow();
    AtomicBoolean raced = new AtomicBoolean();
    try (HikariDataSource pool = database.mariaDbWith("?sessionVariables=sql_select_limit=20")) {
      JdbcDedupStore cut = fixture.storeOn(InterceptedDriver.with(pool, (on, deed, call) -> {
        if (deed.contains("INSERT IGNORE") && raced.compareAndSet(false, true)) {
          runOnce(first);
        }
        return call.call();
      }));

      Throwable failure =
          catchThrowable(() -> runOnce(cut, ids.stream().map(this::request).toList()));

      assertThat(ids.stream().filter(id -> state(id) == MarkState.DONE))
          .allSatisfy(id -> assertThat(effects(id)).as(id).isOne());
      assertThat(failure).isInstanceOf(StoreException.class).hasMessageContaining("20 of 40");
      assertThat(raced).isFalse();
    }
  }

  /** Meanwhile another consumer may have run the message: inserting its mark again is no error. */
  @ParameterizedTest
  @ValueSource(strings = {"?transactionReplay=true", "?transactionreplay=1", ""})
  void a_driver_that_repeats_a_lost_transaction_does_not_repeat_the_effect(String parameter)
      throws Exception {
    try (HikariDataSource plain = Databases.mariaDb();
        HikariDataSource pool = new HikariDataSource()) {
      plain.copyStateTo(pool);
      pool.setJdbcUrl(plain.getJdbcUrl().replace("mariadb:", "mariadb:sequential:") + parameter);
      if (parameter.isEmpty()) {
        pool.addDataSourceProperty("transactionReplay", "true");
      }

      Throwable refused = catchThrowable(() -> run(fixture.storeOn(pool), "a", connection -> {
        fixture.execute("KILL " + text(connection, "SELECT connection_id()"));
        runOnce("a");
        fixture.writeEffect(connection, effect("a"));
      }));

      assertThat(effects("a")).isLessThan(2);
      assertThat(refused)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("transactionReplay is true but must be false");
      assertThatCode(() -> builder(pool).leasedOnly().build()).doesNotThrowAnyException();
    }
  }

  @Test
  void the_sessions_sql_mode_changes_nothing() {
    for (String mode : List.of("", "ANSI", "TRADITIONAL", "NO_BACKSLASH_ESCAPES", "ORACLE")) {
      String id = "mode " + mode;
      try (HikariDataSource pool =
          database.mariaDbWith("?sessionVariables=sql_mode='" + mode + "'")) {
        JdbcDedupStore store = fixture.storeOn(pool);

        Claim claim = claimed(store, List.of(request(id))).get(0);
        store.renew(List.of(claim), LEASE);
        List<SettleAnswer> settled =
            settle(store, List.of(claim), new Verdict.Dead("caf\u00e9 \\' \""));

        assertThat(settled).as(mode).containsExactly(new SettleAnswer.Settled(false));
        assertThat(store.list(MarkQuery.first(key(id).scope(), MarkQuery.Kind.DEAD, 100)))
            .as(mode)
            .anyMatch(mark -> mark.key().equals(key(id)));
        assertThat(state(id)).as(mode).isEqualTo(MarkState.DEAD);
        store.setClockOffset(Duration.ofDays(200));
        assertThat(store.purge(10)).as(mode).isEqualTo(1);
      }
    }
  }
}
