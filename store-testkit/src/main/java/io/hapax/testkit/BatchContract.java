package io.hapax.testkit;

import static io.hapax.testkit.Bench.DEAD;
import static io.hapax.testkit.Bench.DONE;
import static io.hapax.testkit.Bench.LEASE;
import static io.hapax.testkit.Bench.RELEASE;
import static io.hapax.testkit.Bench.RETRY_LATER;
import static io.hapax.testkit.Bench.withPayload;
import static io.hapax.testkit.Bench.withTerms;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Batches: the i-th answer belongs to the i-th argument, and is the same as for a single item. */
interface BatchContract extends OnBench {

  @Test
  default void claims_of_every_outcome_are_answered_in_their_order() {
    bench().held("suspect");
    bench().settled("due", RETRY_LATER);
    bench().expireLease();
    bench().settled("done", DONE);
    bench().held("busy");
    bench().settled("dead", DEAD);
    bench().held("conflict");
    bench().settled("not due", RETRY_LATER);
    ClaimTerms late = new ClaimTerms(false, true, Instant.EPOCH);

    List<ClaimAnswer> answers = store()
        .claim(
            List.of(
                bench().request("done"),
                bench().request("fresh"),
                withPayload(bench().request("conflict"), "another"),
                bench().request("busy"),
                withTerms(bench().request("late"), late),
                bench().request("due"),
                bench().request("dead"),
                bench().request("suspect"),
                bench().request("not due")),
            LEASE);

    assertThat(answers)
        .extracting(Object::getClass)
        .isEqualTo(List.of(
            ClaimAnswer.Done.class,
            Acquired.class,
            ClaimAnswer.Conflict.class,
            ClaimAnswer.Busy.class,
            ClaimAnswer.TooLate.class,
            Acquired.class,
            ClaimAnswer.Dead.class,
            ClaimAnswer.Suspect.class,
            ClaimAnswer.Busy.class));
  }

  @Test
  default void acquired_claims_belong_to_their_requests() {
    List<ClaimRequest> requests =
        IntStream.range(0, 40).mapToObj(i -> bench().request("m" + i)).toList();

    List<ClaimAnswer> answers = store().claim(requests, LEASE);

    assertThat(answers)
        .extracting(answer -> Bench.acquired(answer).claim().key())
        .isEqualTo(requests.stream().map(ClaimRequest::key).toList());
    assertThat(answers)
        .extracting(answer -> Bench.acquired(answer).claim().nonce())
        .isEqualTo(requests.stream().map(ClaimRequest::nonce).toList());
  }

  @Test
  default void renewals_of_every_outcome_are_answered_in_their_order() {
    Claim done = bench().settled("done", DONE);
    Claim held = bench().held("held");
    Claim forgotten = bench().forgotten("forgotten");
    Claim dead = bench().settled("dead", DEAD);

    List<RenewAnswer> answers = store().renew(List.of(done, held, forgotten, dead), LEASE);

    assertThat(answers)
        .extracting(answer -> answer.<Object>match(
            RenewAnswer.Renewed::markLost, RenewAnswer.Fenced::state, it -> it))
        .containsExactly(MarkState.DONE, false, true, MarkState.DEAD);
  }

  @Test
  default void settlements_of_every_verdict_may_be_mixed() {
    Claim fenced = bench().settled("fenced", DEAD);
    Claim retried = bench().held("retried");
    Claim done = bench().held("done");
    Claim forgotten = bench().forgotten("forgotten");
    Claim dead = bench().held("dead");
    Claim released = bench().held("released");

    List<SettleAnswer> answers = store()
        .settle(List.of(
            new Settlement(fenced, DONE),
            new Settlement(retried, RETRY_LATER),
            new Settlement(done, DONE),
            new Settlement(forgotten, DONE),
            new Settlement(dead, DEAD),
            new Settlement(released, RELEASE)));

    SettleAnswer settled = new SettleAnswer.Settled(false);
    assertThat(answers)
        .containsExactly(
            new SettleAnswer.Fenced(MarkState.DEAD),
            settled,
            settled,
            new SettleAnswer.Settled(true),
            settled,
            settled);
    assertThat(List.of("retried", "done", "forgotten", "dead", "released"))
        .extracting(bench()::state)
        .containsExactly(
            MarkState.RETRY, MarkState.DONE, MarkState.DONE, MarkState.DEAD, MarkState.RETRY);
  }

  @Test
  default void five_hundred_are_claimed_renewed_settled_and_found_in_one_call_each() {
    List<ClaimRequest> requests = new ArrayList<>(
        IntStream.range(0, 500).mapToObj(i -> bench().request("m" + i)).toList());
    Collections.shuffle(requests, new Random(500));

    List<Claim> claims = store().claim(requests, LEASE).stream()
        .map(answer -> Bench.acquired(answer).claim())
        .toList();
    List<RenewAnswer> renewed = store().renew(claims, LEASE);
    List<SettleAnswer> settled = store()
        .settle(claims.stream()
            .map(claim -> new Settlement(claim, new Verdict.Done(claim.key().id())))
            .toList());
    List<MessageKey> keys = requests.stream().map(ClaimRequest::key).toList();

    assertThat(claims).extracting(Claim::key).isEqualTo(keys);
    assertThat(renewed).hasSize(500).hasOnlyElementsOfType(RenewAnswer.Renewed.class);
    assertThat(settled).hasSize(500).containsOnly(new SettleAnswer.Settled(false));
    assertThat(store().find(keys))
        .extracting(mark -> mark.orElseThrow().detail())
        .isEqualTo(keys.stream().map(MessageKey::id).toList());
  }

  @Test
  default void empty_lists_are_answered_with_empty_lists() {
    assertThat(store().claim(List.of(), LEASE)).isEmpty();
    assertThat(store().renew(List.of(), LEASE)).isEmpty();
    assertThat(store().settle(List.of())).isEmpty();
    assertThat(store().find(List.of())).isEmpty();
  }

  @Test
  default void what_is_not_there_is_found_empty_in_its_place() {
    bench().held("two");

    assertThat(
            store().find(List.of(bench().key("one"), bench().key("two"), bench().key("three"))))
        .extracting(Optional::isPresent)
        .containsExactly(false, true, false);
  }
}
