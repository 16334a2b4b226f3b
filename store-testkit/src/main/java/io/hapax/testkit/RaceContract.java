package io.hapax.testkit;

import static io.hapax.testkit.Bench.DONE;
import static io.hapax.testkit.Bench.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MarkState;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.store.DedupStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Concurrent owners: each message is acquired by one of them. */
interface RaceContract extends OnBench {

  int OWNERS = 16;

  private List<String> ids() {
    return IntStream.range(0, 60).mapToObj(i -> "m" + i).toList();
  }

  /** Claims most of the messages, in an order and in batches that depend on the owner. */
  private List<ClaimAnswer> ask(int owner, Function<String, ClaimRequest> asking) {
    DedupStore store = owner % 2 == 0 ? store() : bench().other();
    Random random = new Random(owner);
    List<String> ids = new ArrayList<>(ids());
    Collections.shuffle(ids, random);
    List<ClaimAnswer> answers = new ArrayList<>();
    for (int from = 0; from < ids.size(); from += 20) {
      List<ClaimRequest> batch =
          ids.subList(from, from + 10 + random.nextInt(11)).stream().map(asking).toList();
      answers.addAll(store.claim(batch, LEASE));
    }
    return answers;
  }

  private List<ClaimAnswer> race(Function<String, ClaimRequest> asking) throws Exception {
    List<Callable<List<ClaimAnswer>>> owners = IntStream.range(0, OWNERS)
        .<Callable<List<ClaimAnswer>>>mapToObj(owner -> () -> ask(owner, asking))
        .toList();
    return ConcurrentRun.atOnce(owners).stream().flatMap(List::stream).toList();
  }

  private static List<Claim> acquired(List<ClaimAnswer> answers) {
    return answers.stream()
        .filter(Acquired.class::isInstance)
        .map(answer -> Bench.acquired(answer).claim())
        .toList();
  }

  @Test
  default void one_of_many_concurrent_claims_acquires_a_fresh_message() throws Exception {
    List<ClaimAnswer> answers = race(bench()::request);

    assertThat(answers).hasOnlyElementsOfTypes(Acquired.class, ClaimAnswer.Busy.class);
    assertThat(acquired(answers)).extracting(Claim::key).doesNotHaveDuplicates();
    assertThat(acquired(answers))
        .allSatisfy(claim -> assertThat(
                Bench.only(store().find(List.of(claim.key()))).orElseThrow().claim())
            .isEqualTo(claim));
    assertThat(ids())
        .filteredOn(id -> bench().state(id) == MarkState.PROCESSING)
        .hasSameSizeAs(acquired(answers));
  }

  @Test
  default void one_of_many_concurrent_takeovers_succeeds() throws Exception {
    store().claim(ids().stream().map(bench()::request).toList(), LEASE);
    bench().expireLease();

    List<ClaimAnswer> answers = race(bench()::solo);

    assertThat(answers).hasOnlyElementsOfTypes(Acquired.class, ClaimAnswer.Busy.class);
    assertThat(acquired(answers)).extracting(Claim::key).doesNotHaveDuplicates();
    assertThat(acquired(answers)).isNotEmpty();
  }

  @Test
  default void a_late_owner_and_its_successor_never_both_win() throws Exception {
    List<Claim> late =
        acquired(store().claim(ids().stream().map(bench()::request).toList(), LEASE));
    bench().expireLease();
    List<Settlement> settlements =
        late.stream().map(claim -> new Settlement(claim, DONE)).toList();
    List<ClaimRequest> takeovers = ids().stream().map(bench()::solo).toList();

    List<List<?>> answers = ConcurrentRun.atOnce(List.<Callable<List<?>>>of(
        () -> store().settle(settlements), () -> bench().other().claim(takeovers, LEASE)));

    for (int i = 0; i < late.size(); i++) {
      boolean settled = answers.get(0).get(i) instanceof SettleAnswer.Settled;
      boolean taken = answers.get(1).get(i) instanceof Acquired;
      assertThat(settled).as("settled %s", late.get(i)).isNotEqualTo(taken);
    }
  }

  @Test
  default void a_purge_removes_no_mark_that_is_claimed_concurrently() throws Exception {
    List<Claim> old =
        acquired(store().claim(ids().stream().map(bench()::request).toList(), LEASE));
    store().settle(old.stream().map(claim -> new Settlement(claim, DONE)).toList());
    bench().advance(bench().fixture().retention().plusSeconds(1));
    List<Callable<List<ClaimAnswer>>> tasks = new ArrayList<>();
    for (int owner = 0; owner < OWNERS; owner++) {
      int me = owner;
      tasks.add(
          me % 4 == 0
              ? () -> purge(me % 8 == 0 ? store() : bench().other())
              : () -> ask(me, bench()::request));
    }

    List<ClaimAnswer> answers =
        ConcurrentRun.atOnce(tasks).stream().flatMap(List::stream).toList();

    assertThat(answers)
        .hasOnlyElementsOfTypes(Acquired.class, ClaimAnswer.Busy.class, ClaimAnswer.Done.class);
    assertThat(acquired(answers)).extracting(Claim::key).doesNotHaveDuplicates();
    assertThat(acquired(answers))
        .allSatisfy(claim -> assertThat(
                Bench.only(store().find(List.of(claim.key()))).orElseThrow().claim())
            .isEqualTo(claim));
  }

  private static List<ClaimAnswer> purge(DedupStore store) {
    for (int time = 0; time < 20; time++) {
      assertThat(store.purge(7)).isBetween(0, 7);
    }
    return List.of();
  }
}
