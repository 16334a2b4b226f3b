package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer.Kind;
import io.hapax.mark.MarkState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Removal of expired marks. */
interface PurgeContract extends Bench {

  @Test
  default void only_done_marks_past_retention_are_removed() {
    settled("done", DONE);
    settled("dead", DEAD);
    settled("retry", RETRY_NOW);
    held("stale");
    endRetention();
    settled("done now", DONE);

    purgeAll();

    assertThat(List.of("done", "dead", "retry", "stale", "done now"))
        .extracting(this::state)
        .containsExactly(
            MarkState.ABSENT,
            MarkState.DEAD,
            MarkState.RETRY,
            MarkState.PROCESSING,
            MarkState.DONE);
  }

  @Test
  default void the_store_reports_its_retention() {
    assertThat(store().retention()).isEqualTo(fixture().retention());
    assertThat(other().retention()).isEqualTo(fixture().retention());
  }

  @Test
  default void nothing_is_removed_before_its_retention_has_expired() {
    settled("m", DONE);
    advance(fixture().retention().minusMinutes(10));

    purgeAll();

    assertThat(state("m")).isEqualTo(MarkState.DONE);
  }

  @Test
  default void retention_is_counted_from_done_and_not_from_the_claim() {
    Claim claim = held("m");
    endRetention();
    settle(claim, DONE);

    purgeAll();

    assertThat(state("m")).isEqualTo(MarkState.DONE);
  }

  @Test
  default void purge_removes_no_more_than_its_limit_and_says_how_many() {
    endRetention();
    purgeAll();
    for (int i = 0; i < 7; i++) {
      settled("m" + i, DONE);
    }
    endRetention();

    List<Integer> removed = List.of(store().purge(5), store().purge(5), store().purge(5));

    assertThat(removed).containsExactly(5, 2, 0);
  }

  @Test
  default void the_token_grows_over_a_purge() {
    Claim before = settled("m", DONE);
    endRetention();
    purgeAll();

    var acquired = acquire(request("m"));

    assertThat(acquired.kind()).isEqualTo(Kind.FRESH);
    assertThat(acquired.claim().token()).isGreaterThan(before.token());
  }
}
