package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.mark.MarkState;
import io.hapax.store.StoreContentionException;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.h2.api.Trigger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A trigger of somebody else's changes what is written. */
@TestDatabase.OnH2
class H2TriggerTest extends StoreTests {

  /** Makes a mark a microsecond older. */
  public static final class Older implements Trigger {

    private static final int UNTIL_US = 5;

    @Override
    public void fire(
        Connection connection, @Nullable Object @Nullable [] before, @Nullable Object[] after) {
      after[UNTIL_US] = (Long) after[UNTIL_US] - 1;
    }
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
