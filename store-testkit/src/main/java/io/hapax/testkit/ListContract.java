package io.hapax.testkit;

import static io.hapax.testkit.Bench.DEAD;
import static io.hapax.testkit.Bench.DONE;
import static io.hapax.testkit.Bench.RETRY_LATER;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Mark;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Resolution;
import io.hapax.mark.Verdict;
import io.hapax.store.MarkQuery;
import io.hapax.store.MarkQuery.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an operator is shown. */
interface ListContract extends OnBench {

  private List<Mark> list(Kind kind) {
    return bench().store().list(MarkQuery.first(bench().scope(), kind, MarkQuery.MAX_LIMIT));
  }

  private void oneOfEachState() {
    Verdict doubt = new Verdict.Retry(Bench.LEASE, true);
    bench().held("stale");
    bench().leaseIsOver();
    bench().held("alive");
    bench().settled("retry", RETRY_LATER);
    bench().settled("in doubt", doubt);
    bench().settled("running in doubt", new Verdict.Retry(Duration.ZERO, true));
    bench().held("running in doubt");
    bench().settled("dead", DEAD);
    bench().settled("done", DONE);
  }

  private List<MessageKey> keys(String... ids) {
    return Arrays.stream(ids).map(bench()::key).toList();
  }

  @Test
  default void stale_marks_are_those_whose_lease_is_over() {
    oneOfEachState();

    assertThat(list(Kind.STALE)).extracting(Mark::key).isEqualTo(keys("stale"));
    assertThat(list(Kind.STALE)).containsExactly(bench().mark("stale"));
  }

  @Test
  default void marks_in_doubt_are_open_and_of_unknown_effect() {
    oneOfEachState();

    assertThat(list(Kind.IN_DOUBT))
        .extracting(Mark::key)
        .containsExactlyInAnyOrderElementsOf(keys("in doubt", "running in doubt"));
  }

  @Test
  default void dead_marks_are_listed_with_reason_and_origin() {
    oneOfEachState();

    assertThat(list(Kind.DEAD)).containsExactly(bench().mark("dead"));
  }

  @Test
  default void marks_of_another_scope_are_not_listed() {
    MessageKey elsewhere = MessageKey.of(bench().scope() + "#2", "m");
    bench().settle(bench().acquire(Bench.request(elsewhere)).claim(), DEAD);
    bench().settled("here", DEAD);

    assertThat(list(Kind.DEAD)).extracting(Mark::key).isEqualTo(keys("here"));
  }

  @Test
  default void pages_show_every_mark_once() {
    for (int i = 0; i < 10; i++) {
      bench().settled("dead" + i, DEAD);
    }
    List<Integer> sizes = new ArrayList<>();
    List<MessageKey> seen = new ArrayList<>();

    MarkQuery query = MarkQuery.first(bench().scope(), Kind.DEAD, 4);
    List<Mark> page = bench().store().list(query);
    while (!page.isEmpty() && sizes.size() < 10) {
      sizes.add(page.size());
      page.forEach(mark -> seen.add(mark.key()));
      page = bench().store().list(query.next(page.get(page.size() - 1)));
    }

    assertThat(sizes).containsExactly(4, 4, 2);
    assertThat(seen).hasSize(10).doesNotHaveDuplicates();
  }

  @Test
  default void a_page_goes_on_behind_a_mark_that_has_been_resolved_meanwhile() {
    for (int i = 0; i < 6; i++) {
      bench().settled("dead" + i, DEAD);
    }
    MarkQuery query = MarkQuery.first(bench().scope(), Kind.DEAD, 3);
    List<Mark> first = bench().store().list(query);
    Mark last = first.get(2);
    bench().store().resolve(last.key(), last.claim().token(), Resolution.FORCE_DONE);

    List<Mark> second = bench().store().list(query.next(last));

    assertThat(second).hasSize(3).doesNotContainAnyElementsOf(first);
  }
}
