package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Resolution;
import io.hapax.mark.Verdict;
import io.hapax.store.MarkQuery;
import io.hapax.store.MarkQuery.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lists for operators. */
interface ListContract extends Bench {

  private List<Mark> list(Kind kind) {
    return store().list(MarkQuery.first(scope(), kind, MarkQuery.MAX_LIMIT));
  }

  /** Returns the pages of a list, at most ten. */
  private List<List<Mark>> pages(Kind kind, int size) {
    List<List<Mark>> pages = new ArrayList<>();
    MarkQuery query = MarkQuery.first(scope(), kind, size);
    List<Mark> page = store().list(query);
    while (!page.isEmpty() && pages.size() < 10) {
      pages.add(page);
      query = query.next(page.get(page.size() - 1));
      page = store().list(query);
    }
    return pages;
  }

  private void oneOfEachState() {
    Verdict doubt = new Verdict.Retry(LEASE, true);
    held("stale");
    expireLease();
    held("alive");
    settled("retry", RETRY_LATER);
    settled("in doubt", doubt);
    settled("running in doubt", new Verdict.Retry(Duration.ZERO, true));
    held("running in doubt");
    settled("dead", DEAD);
    settled("done", DONE);
  }

  private List<MessageKey> keys(String... ids) {
    return Arrays.stream(ids).map(this::key).toList();
  }

  @Test
  default void stale_marks_are_those_whose_lease_has_expired() {
    oneOfEachState();

    assertThat(list(Kind.STALE)).extracting(Mark::key).isEqualTo(keys("stale"));
    assertThat(list(Kind.STALE)).containsExactly(mark("stale"));
  }

  @Test
  default void leased_marks_are_those_that_an_owner_works_on() {
    oneOfEachState();

    assertThat(list(Kind.LEASED))
        .extracting(Mark::key)
        .containsExactlyInAnyOrderElementsOf(keys("alive", "running in doubt"));
    expireLease();
    assertThat(list(Kind.LEASED)).isEmpty();
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

    assertThat(list(Kind.DEAD)).containsExactly(mark("dead"));
  }

  @Test
  default void marks_of_another_scope_are_not_listed() {
    MessageKey elsewhere = MessageKey.of(scope() + "#2", "m");
    settle(acquire(Bench.request(elsewhere)).claim(), DEAD);
    settled("here", DEAD);

    assertThat(list(Kind.DEAD)).extracting(Mark::key).isEqualTo(keys("here"));
  }

  @Test
  default void a_stale_mark_is_listed_with_owner_coordinates_and_age() {
    Instant before = storeTime();
    ClaimRequest request = solo("m");
    Acquired acquired = acquire(request);
    Instant after = storeTime();
    expireLease();

    Mark stale = Bench.only(list(Kind.STALE));

    assertThat(stale.claim()).isEqualTo(acquired.claim());
    assertThat(stale.claim().origin()).isEqualTo(request.origin());
    assertThat(stale.claimedAt()).isBetween(before, after);
    assertThat(stale.until()).isEqualTo(acquired.leaseUntil());
  }

  @Test
  default void a_mark_in_doubt_is_listed_with_owner_and_next_attempt() {
    ClaimRequest request = request("m");
    Acquired acquired = acquire(request);
    settle(acquired.claim(), new Verdict.Retry(RETRY_DELAY, true));

    Mark inDoubt = Bench.only(list(Kind.IN_DOUBT));

    assertThat(inDoubt.state()).isEqualTo(MarkState.RETRY);
    assertThat(inDoubt.claim().origin()).isEqualTo(request.origin());
    assertThat(inDoubt.claim().token()).isEqualTo(acquired.claim().token());
    assertThat(inDoubt.until()).isBetween(storeTime(), storeTime().plus(RETRY_DELAY));
  }

  @Test
  default void stale_marks_and_those_in_doubt_are_shown_in_pages_too() {
    for (int i = 0; i < 7; i++) {
      settled("doubt" + i, new Verdict.Retry(LEASE.multipliedBy(2), true));
      held("stale" + i);
    }
    expireLease();

    for (Kind kind : List.of(Kind.STALE, Kind.IN_DOUBT)) {
      List<Mark> seen = pages(kind, 3).stream().flatMap(List::stream).toList();
      assertThat(seen).as("%s", kind).hasSize(7).containsExactlyInAnyOrderElementsOf(list(kind));
    }
  }

  @Test
  default void pages_show_every_mark_once() {
    for (int i = 0; i < 10; i++) {
      settled("dead" + i, DEAD);
    }
    List<List<Mark>> pages = pages(Kind.DEAD, 4);

    assertThat(pages).extracting(List::size).containsExactly(4, 4, 2);
    assertThat(pages.stream().flatMap(List::stream).map(Mark::key))
        .hasSize(10)
        .doesNotHaveDuplicates();
  }

  @Test
  default void a_page_continues_behind_a_mark_that_was_resolved_meanwhile() {
    for (int i = 0; i < 6; i++) {
      settled("dead" + i, DEAD);
    }
    MarkQuery query = MarkQuery.first(scope(), Kind.DEAD, 3);
    List<Mark> first = store().list(query);
    Mark last = first.get(2);
    store().resolve(last.key(), last.claim().token(), last.state(), Resolution.FORCE_DONE);

    List<Mark> second = store().list(query.next(last));

    assertThat(second).hasSize(3).doesNotContainAnyElementsOf(first);
  }
}
