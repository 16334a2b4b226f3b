package io.hapax.testkit;

import static io.hapax.testkit.Bench.DEAD;
import static io.hapax.testkit.Bench.DONE;
import static io.hapax.testkit.Bench.RETRY_NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer.Kind;
import io.hapax.mark.MarkState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Removal of expired marks. */
interface PurgeContract extends OnBench {

  private void retentionIsOver() {
    bench().advance(bench().fixture().retention().plusSeconds(1));
  }

  @Test
  default void only_done_marks_past_retention_are_removed() {
    bench().settled("done", DONE);
    bench().settled("dead", DEAD);
    bench().settled("retry", RETRY_NOW);
    bench().held("stale");
    retentionIsOver();
    bench().settled("done now", DONE);

    bench().purgeAll();

    assertThat(List.of("done", "dead", "retry", "stale", "done now"))
        .extracting(bench()::state)
        .containsExactly(
            MarkState.ABSENT,
            MarkState.DEAD,
            MarkState.RETRY,
            MarkState.PROCESSING,
            MarkState.DONE);
  }

  @Test
  default void the_store_reports_its_retention() {
    assertThat(store().retention()).isEqualTo(bench().fixture().retention());
    assertThat(bench().other().retention()).isEqualTo(bench().fixture().retention());
  }

  @Test
  default void nothing_is_removed_before_its_retention_has_expired() {
    bench().settled("m", DONE);
    bench().advance(bench().fixture().retention().minusMinutes(10));

    bench().purgeAll();

    assertThat(bench().state("m")).isEqualTo(MarkState.DONE);
  }

  @Test
  default void retention_is_counted_from_done_and_not_from_the_claim() {
    Claim claim = bench().held("m");
    retentionIsOver();
    bench().settle(claim, DONE);

    bench().purgeAll();

    assertThat(bench().state("m")).isEqualTo(MarkState.DONE);
  }

  @Test
  default void purge_removes_no_more_than_its_limit_and_says_how_many() {
    retentionIsOver();
    bench().purgeAll();
    for (int i = 0; i < 7; i++) {
      bench().settled("m" + i, DONE);
    }
    retentionIsOver();

    List<Integer> removed = List.of(store().purge(5), store().purge(5), store().purge(5));

    assertThat(removed).containsExactly(5, 2, 0);
  }

  @Test
  default void the_token_grows_over_a_purge() {
    Claim before = bench().settled("m", DONE);
    retentionIsOver();
    bench().purgeAll();

    var acquired = bench().acquire(bench().request("m"));

    assertThat(acquired.kind()).isEqualTo(Kind.FRESH);
    assertThat(acquired.claim().token()).isGreaterThan(before.token());
  }
}
