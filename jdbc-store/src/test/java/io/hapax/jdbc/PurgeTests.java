package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverListener;
import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.ListenableStore.Registration;
import io.hapax.store.MarkQuery;
import io.hapax.store.StoreListener;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Old marks are removed while others are at work on them. */
abstract class PurgeTests extends StoreTests {

  private static final Duration OPEN_RETENTION = Duration.ofDays(90);
  private static final Verdict DONE = Verdict.Done.WITHOUT_RESULT;
  private static final Verdict RETRY = new Verdict.Retry(Duration.ZERO, false);
  private static final Verdict DEAD = new Verdict.Dead("no such customer");

  private void settled(Verdict verdict, List<String> ids) {
    settle(store(), claimed(store(), ids.stream().map(this::request).toList()), verdict);
  }

  private static List<String> ids(int count) {
    return IntStream.range(0, count).mapToObj(i -> "m" + i).toList();
  }

  private void retentionIsOver() {
    fixture.advance(fixture.retention().plusSeconds(1));
  }

  private void openRetentionIsOver() {
    fixture.advance(OPEN_RETENTION.plus(LEASE).plusSeconds(1));
  }

  private long expiry(String id) throws SQLException {
    Mark mark = store().find(List.of(key(id))).get(0).orElseThrow();
    return number("SELECT expires_at_us FROM " + fixture.table() + " WHERE token = "
        + mark.claim().token());
  }

  @Test
  void only_an_open_receiver_is_notified_of_forgotten_marks() {
    settled(DEAD, List.of("a", "b"));
    openRetentionIsOver();
    List<Integer> told = new CopyOnWriteArrayList<>();
    ReceiverListener listener = new ReceiverListener() {
      @Override
      public void onStoreMarksForgotten(int marks) {
        told.add(marks);
      }
    };

    try (IdempotentReceiver<String> receiver = IdempotentReceiver.<String>builder("orders")
        .id(message -> Optional.of(Bytes.utf8(message)))
        .noFingerprint()
        .listener(listener)
        .leased(store(), delivery -> {})) {
      assertThat(receiver.port().settings().retention()).isEqualTo(fixture.retention());
      store().purge(1000);
    }
    settled(DEAD, List.of("c"));
    openRetentionIsOver();
    store().purge(1000);

    assertThat(told).containsExactly(2);
  }

  @Test
  void open_and_dead_marks_are_purged_after_longer_and_reported() {
    List<Integer> told = new CopyOnWriteArrayList<>();
    Registration listening = store().listen(new StoreListener() {
      @Override
      public void onForgotten(int marks) {
        told.add(marks);
      }
    });
    claimed("lost");
    settled(RETRY, List.of("failed"));
    settled(DEAD, List.of("dead"));
    settled(DONE, List.of("done"));

    retentionIsOver();
    int doneOnly = store().purge(10);
    fixture.advance(OPEN_RETENTION.minus(fixture.retention()).minusMinutes(10));
    int tooEarly = store().purge(10);
    fixture.advance(LEASE.plusMinutes(11));
    int all = store().purge(10);
    listening.close();

    assertThat(List.of(doneOnly, tooEarly, all)).containsExactly(1, 0, 3);
    assertThat(told).containsExactly(3);
    assertThat(List.of(state("lost"), state("failed"), state("dead")))
        .containsOnly(MarkState.ABSENT);
  }

  @Test
  void a_store_with_a_shorter_retention_keeps_the_marks_of_another() {
    settled(DONE, List.of("done at once"));
    Claim held = claimed("done late");
    JdbcDedupStore withShortTimeout =
        builder(fixture.pool()).retention(Duration.ofMillis(1)).build();
    List<Integer> removed = new ArrayList<>();

    Duration before = fixture.retention().minusMinutes(10);
    fixture.advance(before);
    store().settle(List.of(new Settlement(held, DONE)));
    for (Duration offset : List.of(before, before.plusMinutes(20), before.multipliedBy(2))) {
      withShortTimeout.setClockOffset(offset);
      removed.add(withShortTimeout.purge(10));
    }
    withShortTimeout.setClockOffset(before.plus(fixture.retention()).plusMinutes(1));
    removed.add(withShortTimeout.purge(10));

    assertThat(removed).containsExactly(0, 1, 0, 1);
  }

  @Test
  void a_lease_that_is_kept_alive_outlives_every_retention() {
    Claim claim = claimed("held");
    openRetentionIsOver();
    store().renew(List.of(claim), LEASE);

    int removed = store().purge(10);

    assertThat(removed).isZero();
    assertThat(state("held")).isEqualTo(MarkState.PROCESSING);
  }

  @Test
  void a_mark_that_a_transaction_holds_is_passed_by_without_waiting() throws Exception {
    Claim held = claimed("m0");
    settled(RETRY, List.of("m1", "m2"));
    openRetentionIsOver();
    Holder<SettleAnswer> completion = holder(hold -> fixture.other().completeWith(held, hold::in));

    int removed = store().purge(10);

    assertThat(removed).isEqualTo(2);
    assertThat(completion.call()).isNotDone();
    assertThat(completion.end()).isEqualTo(new SettleAnswer.Settled(false));
    assertThat(state("m0")).isEqualTo(MarkState.DONE);
  }

  @Test
  void many_nodes_that_purge_at_once_remove_each_mark_once_and_do_not_fail() throws Exception {
    settled(DONE, ids(400));
    retentionIsOver();
    List<Future<Integer>> nodes = new ArrayList<>();
    for (int node = 0; node < 4; node++) {
      JdbcDedupStore store = node % 2 == 0 ? store() : fixture.other();
      nodes.add(threads.submit(() -> {
        int sum = 0;
        while (state(store(), ids(400)).contains(MarkState.DONE)) {
          sum += store.purge(7);
        }
        return sum;
      }));
    }
    int removed = 0;
    for (Future<Integer> node : nodes) {
      removed += node.get(120, TimeUnit.SECONDS);
    }

    assertThat(removed).isEqualTo(400);
  }

  private List<MarkState> state(JdbcDedupStore store, List<String> ids) {
    return store.find(ids.stream().map(this::key).toList()).stream()
        .map(mark -> mark.map(Mark::state).orElse(MarkState.ABSENT))
        .toList();
  }

  @Test
  void what_is_claimed_after_the_purge_has_seen_it_stays() {
    settled(RETRY, List.of("m"));
    openRetentionIsOver();
    List<Claim> claims = new ArrayList<>();
    JdbcDedupStore purging =
        fixture.storeOn(InterceptedDriver.with(fixture.pool(), (on, deed, call) -> {
          if (deed.startsWith("prepareStatement") && deed.contains("SKIP LOCKED")) {
            claims.add(claimed("m"));
          }
          return call.call();
        }));
    purging.setClockOffset(OPEN_RETENTION.plus(LEASE).plusSeconds(1));

    int removed = purging.purge(10);

    assertThat(removed).isZero();
    assertThat(claims).hasSize(1);
    assertThat(store().renew(claims, LEASE)).hasOnlyElementsOfType(RenewAnswer.Renewed.class);
    assertThat(state("m")).isEqualTo(MarkState.PROCESSING);
  }

  @Test
  void only_a_claim_that_comes_very_late_moves_its_mark_in_the_index() throws SQLException {
    settled(RETRY, List.of("m"));
    long first = expiry("m");
    fixture.advance(Duration.ofMinutes(50));
    settled(RETRY, List.of("m"));
    long early = expiry("m");
    fixture.advance(Duration.ofMinutes(50));
    settled(DONE, List.of("m"));
    long late = expiry("m");

    assertThat(early).isEqualTo(first);
    assertThat(late)
        .isCloseTo(
            first + TimeUnit.MINUTES.toMicros(100),
            org.assertj.core.data.Offset.offset(TimeUnit.MINUTES.toMicros(2)));
  }

  @Test
  void a_page_after_a_mark_that_has_moved_omits_no_mark() {
    settled(DEAD, List.of("d1"));
    settled(RETRY, List.of("m"));
    settled(DEAD, List.of("d2"));
    fixture.advance(Duration.ofHours(2));
    Mark seen = store().find(List.of(key("m"))).get(0).orElseThrow();
    settled(DEAD, List.of("m"));
    MarkQuery first = MarkQuery.first(key("m").scope(), MarkQuery.Kind.DEAD, 10);

    List<Mark> after = store().list(first.next(seen));

    assertThat(after).extracting(Mark::key).contains(key("d2"));
  }

  @Test
  void the_background_purge_continues_until_the_store_is_closed() {
    settled(DONE, ids(20));
    JdbcDedupStore purging = builder(fixture.pool())
        .retention(fixture.retention())
        .purge(new PurgeSettings(Duration.ofMillis(10), 6))
        .build();
    try (purging) {
      purging.setClockOffset(fixture.retention().plusSeconds(1));
      await()
          .atMost(Duration.ofMinutes(1))
          .until(
              () -> state(store(), ids(20)),
              states -> states.stream().allMatch(MarkState.ABSENT::equals));
      assertThat(purgers()).isNotEmpty();
    }

    assertThat(purgers()).isEmpty();
  }

  private List<String> purgers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.isAlive() && thread.isDaemon())
        .map(Thread::getName)
        .filter(name -> name.equals("hapax-purge-" + fixture.table()))
        .toList();
  }
}
