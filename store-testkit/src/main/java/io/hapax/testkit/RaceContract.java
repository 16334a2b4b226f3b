package io.hapax.testkit;

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
import org.junit.jupiter.api.Test;

/** Concurrent owners: each message is acquired by one of them. */
interface RaceContract extends Bench {

  int OWNERS = 16;

  List<String> IDS = Bench.ids(60);

  /** Claims most of the messages, in an order and in batches that depend on the owner. */
  private List<ClaimAnswer> ask(int owner, Function<String, ClaimRequest> asking) {
    DedupStore store = owner % 2 == 0 ? store() : other();
    Random random = new Random(owner);
    List<String> ids = new ArrayList<>(IDS);
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
    return ConcurrentRun.<List<ClaimAnswer>>atOnce(OWNERS, owner -> () -> ask(owner, asking))
        .stream()
        .flatMap(List::stream)
        .toList();
  }

  @Test
  default void one_of_many_concurrent_claims_acquires_a_fresh_message() throws Exception {
    List<ClaimAnswer> answers = race(this::request);

    assertThat(answers).hasOnlyElementsOfTypes(Acquired.class, ClaimAnswer.Busy.class);
    assertOwned(Bench.acquired(answers));
    assertThat(IDS)
        .filteredOn(id -> state(id) == MarkState.PROCESSING)
        .hasSameSizeAs(Bench.acquired(answers));
  }

  @Test
  default void one_of_many_concurrent_takeovers_succeeds() throws Exception {
    store().claim(requests(IDS), LEASE);
    expireLease();

    List<ClaimAnswer> answers = race(this::solo);

    assertThat(answers).hasOnlyElementsOfTypes(Acquired.class, ClaimAnswer.Busy.class);
    assertThat(Bench.acquired(answers)).extracting(Claim::key).doesNotHaveDuplicates();
    assertThat(Bench.acquired(answers)).isNotEmpty();
  }

  @Test
  default void a_late_owner_and_its_successor_never_both_win() throws Exception {
    List<Claim> late = Bench.acquired(store().claim(requests(IDS), LEASE));
    expireLease();
    List<Settlement> settlements =
        late.stream().map(claim -> new Settlement(claim, DONE)).toList();
    List<ClaimRequest> takeovers = IDS.stream().map(this::solo).toList();

    List<List<?>> answers = ConcurrentRun.atOnce(List.<Callable<List<?>>>of(
        () -> store().settle(settlements), () -> other().claim(takeovers, LEASE)));

    for (int i = 0; i < late.size(); i++) {
      boolean settled = answers.get(0).get(i) instanceof SettleAnswer.Settled;
      boolean taken = answers.get(1).get(i) instanceof Acquired;
      assertThat(settled).as("settled %s", late.get(i)).isNotEqualTo(taken);
    }
  }

  @Test
  default void a_purge_removes_no_mark_that_is_claimed_concurrently() throws Exception {
    List<Claim> old = Bench.acquired(store().claim(requests(IDS), LEASE));
    store().settle(old.stream().map(claim -> new Settlement(claim, DONE)).toList());
    endRetention();

    List<ClaimAnswer> answers = ConcurrentRun.<List<ClaimAnswer>>atOnce(
            OWNERS,
            owner -> owner % 4 == 0
                ? () -> purge(owner % 8 == 0 ? store() : other())
                : () -> ask(owner, this::request))
        .stream()
        .flatMap(List::stream)
        .toList();

    assertThat(answers)
        .hasOnlyElementsOfTypes(Acquired.class, ClaimAnswer.Busy.class, ClaimAnswer.Done.class);
    assertOwned(Bench.acquired(answers));
  }

  private void assertOwned(List<Claim> claims) {
    assertThat(claims).extracting(Claim::key).doesNotHaveDuplicates();
    assertThat(store().find(claims.stream().map(Claim::key).toList()))
        .extracting(mark -> mark.orElseThrow().claim())
        .isEqualTo(claims);
  }

  private static List<ClaimAnswer> purge(DedupStore store) {
    for (int time = 0; time < 20; time++) {
      assertThat(store.purge(7)).isBetween(0, 7);
    }
    return List.of();
  }
}
