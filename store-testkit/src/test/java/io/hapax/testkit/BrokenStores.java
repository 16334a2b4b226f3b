package io.hapax.testkit;

import io.hapax.mark.Attempt;
import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkMachine;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Transition;
import io.hapax.mark.Verdict;
import io.hapax.store.DedupStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** Stores that are wrong in one point each, as stores in the wild have been. */
final class BrokenStores {

  /** What is wrong, the sentence of the contract that must say so, and the store. */
  record Broken(
      String what, String sentence, BiFunction<InstantSource, Duration, DedupStore> opening) {}

  static final List<Broken> ALL = List.of(
      new Broken(
          "lists nobody who is at work",
          "a_generation_stays_while_a_message_of_it_is_worked_on",
          BrokenLists.ListsNobodyAtWork::new),
      new Broken(
          "lists as at work whose lease is over",
          "a_generation_moves_over_what_vanished_owners_and_failures_left",
          BrokenLists.ListsTheLostAsAtWork::new),
      new Broken(
          "purges by the age of the claim",
          "no_time_and_no_purge_takes_a_generation_away",
          PurgesByAge::new),
      new Broken(
          "lists what is put off as dead",
          "no_list_shows_a_generation",
          BrokenLists.ListsThePutOff::new),
      new Broken(
          "settles whoever asks",
          "the_token_alone_and_the_nonce_alone_settle_nothing",
          SettlesWhoeverAsks::new),
      new Broken(
          "releases by deleting the mark",
          "tokens_grow_over_release_retry_and_takeover",
          ReleasesByDelete::new),
      new Broken(
          "executes claims that come too late",
          "a_claim_that_comes_after_its_time_changes_nothing",
          ExecutesLateClaims::new),
      new Broken(
          "refuses an owner whose lease is over",
          "an_owner_whose_lease_is_over_may_renew_while_nobody_took_over",
          RefusesOldOwners::new),
      new Broken(
          "takes a living lease over",
          "another_nonce_is_busy_for_the_rest_of_the_lease",
          StealsLeases::new),
      new Broken(
          "takes over without a solo claim",
          "a_lost_claim_makes_the_message_a_suspect_that_needs_a_solo_claim",
          TakesOverWithoutSolo::new),
      new Broken(
          "gives a resend a new token",
          "the_same_nonce_gets_the_same_claim_again_and_a_renewed_lease",
          NewTokenForResend::new),
      new Broken(
          "compares no payloads once it is done",
          "another_payload_conflicts_with_done_and_dead",
          ComparesNoPayloadsOfDone::new),
      new Broken(
          "writes a lost mark as dead",
          "settling_a_lost_mark_as_dead_writes_none_so_that_its_message_can_run_again",
          WritesTheLostAsDead::new),
      new Broken(
          "renews a lost mark with its attempt",
          "a_lost_mark_that_was_written_anew_never_becomes_dead",
          RenewsTheLostWithItsAttempt::new),
      new Broken("forgets results", "done_is_answered_with_its_result", ForgetsResults::new),
      new Broken(
          "purges the dead, too", "only_done_marks_past_retention_are_removed", PurgesDead::new),
      new Broken(
          "lists marks of other scopes",
          "marks_of_another_scope_are_not_listed",
          BrokenLists.ListsEveryScope::new),
      new Broken(
          "answers in an order of its own",
          "claims_of_every_outcome_are_answered_in_their_order",
          AnswersInKeyOrder::new),
      new Broken(
          "takes ids apart without their blanks",
          "ids_that_look_alike_are_different_messages",
          StripsIds::new),
      new Broken(
          "ends messages of the same letters together",
          "messages_that_look_alike_end_each_in_its_own_way",
          StripsIds::new),
      new Broken(
          "shows ids in small letters",
          "operators_are_shown_ids_that_look_alike_as_they_are",
          BrokenLists.ListsSmallLetters::new),
      new Broken(
          "lists what is stale without its owner",
          "what_is_stale_is_listed_with_its_owner_its_place_and_its_age",
          BrokenLists.ListsNoOwner::new),
      new Broken(
          "lists what is in doubt without its owner",
          "what_is_in_doubt_is_listed_with_its_owner_and_its_next_turn",
          BrokenLists.ListsNoOwner::new),
      new Broken(
          "begins every page of what is stale anew",
          "stale_marks_and_those_in_doubt_are_shown_in_pages_too",
          BrokenLists.ListsFirstPages::new),
      new Broken(
          "writes leases by a client's clock that is late",
          "a_client_whose_clock_is_late_neither_steals_nor_loses_a_lease",
          JudgesByClient::new),
      new Broken(
          "writes leases by a client's clock that is ahead",
          "a_client_whose_clock_is_ahead_neither_steals_nor_loses_a_lease",
          JudgesByClient::new),
      new Broken(
          "differs from the machine when a clock is off",
          "a_client_whose_clock_is_ahead_is_answered_as_the_machine_says",
          JudgesByClient::new),
      new Broken(
          "opens to a nonce that was given back",
          "a_nonce_that_was_given_back_opens_nothing",
          OpensToOldNonces::new),
      new Broken(
          "counts an attempt for being busy", "being_busy_costs_no_attempt", CountsBusy::new),
      new Broken(
          "lets a mark go with its lease",
          "a_lost_claim_makes_the_message_a_suspect_that_needs_a_solo_claim",
          LivesAsLongAsItsLease::new));

  private BrokenStores() {}

  static Broken that(String what) {
    return ALL.stream().filter(broken -> broken.what().equals(what)).findFirst().orElseThrow();
  }

  private static class SettlesWhoeverAsks extends MachineStore {
    SettlesWhoeverAsks(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected Transition<SettleAnswer> settle(Mark mark, Settlement it) {
      Claim current = mark.state() == MarkState.ABSENT ? it.claim() : mark.claim();
      return MarkMachine.settle(mark, new Settlement(current, it.verdict()), now());
    }
  }

  private static class ReleasesByDelete extends MachineStore {
    ReleasesByDelete(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected Transition<SettleAnswer> settle(Mark mark, Settlement it) {
      Transition<SettleAnswer> right = super.settle(mark, it);
      boolean released =
          it.verdict() instanceof Verdict.Release && right.answer() instanceof SettleAnswer.Settled;
      return released ? new Transition<>(Mark.absent(mark.key()), right.answer()) : right;
    }
  }

  private static class ExecutesLateClaims extends MachineStore {
    ExecutesLateClaims(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected Transition<ClaimAnswer> claim(Mark mark, ClaimRequest request, Duration lease) {
      if (request.key().toString().endsWith("/late")) {
        return super.claim(mark, request, lease);
      }
      ClaimTerms terms = request.terms();
      ClaimTerms unlimited = new ClaimTerms(terms.solo(), terms.external(), ClaimTerms.ANY_TIME);
      return super.claim(mark, Bench.withTerms(request, unlimited), lease);
    }
  }

  private static class RefusesOldOwners extends MachineStore {
    RefusesOldOwners(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected Transition<RenewAnswer> renew(Mark mark, Claim claim, Duration lease) {
      return mark.state() == MarkState.PROCESSING && !mark.leasedAt(now())
          ? new Transition<>(mark, new RenewAnswer.Fenced(mark.state()))
          : super.renew(mark, claim, lease);
    }
  }

  private static class StealsLeases extends MachineStore {
    StealsLeases(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected Transition<ClaimAnswer> claim(Mark mark, ClaimRequest request, Duration lease) {
      Mark over = new Mark(mark.claim(), mark.state(), mark.claimedAt(), now(), mark.detail());
      return super.claim(mark.leasedAt(now()) ? over : mark, request, lease);
    }
  }

  private static class TakesOverWithoutSolo extends MachineStore {
    TakesOverWithoutSolo(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected Transition<ClaimAnswer> claim(Mark mark, ClaimRequest request, Duration lease) {
      ClaimTerms terms = request.terms();
      return super.claim(
          mark,
          Bench.withTerms(request, new ClaimTerms(true, terms.external(), terms.notAfter())),
          lease);
    }
  }

  private static class NewTokenForResend extends MachineStore {
    NewTokenForResend(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected Transition<ClaimAnswer> claim(Mark mark, ClaimRequest request, Duration lease) {
      Transition<ClaimAnswer> right = super.claim(mark, request, lease);
      if (right.answer() instanceof ClaimAnswer.Acquired it
          && it.kind() == ClaimAnswer.Kind.RESENT) {
        Claim claim = Bench.withToken(it.claim(), it.claim().token() + 1);
        Mark next =
            new Mark(claim, MarkState.PROCESSING, mark.claimedAt(), it.leaseUntil(), Bytes.EMPTY);
        return new Transition<>(
            next, new ClaimAnswer.Acquired(claim, it.kind(), it.leaseUntil(), it.previous()));
      }
      return right;
    }
  }

  private static class OpensToOldNonces extends MachineStore {
    OpensToOldNonces(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected Transition<ClaimAnswer> claim(Mark mark, ClaimRequest request, Duration lease) {
      Claim it = mark.claim();
      Claim nobodys =
          new Claim(it.key(), Nonce.NONE, it.token(), it.attempt(), it.fingerprint(), it.origin());
      boolean givenBack = mark.state() == MarkState.RETRY;
      return super.claim(givenBack ? with(mark, nobodys) : mark, request, lease);
    }
  }

  private static class CountsBusy extends MachineStore {
    CountsBusy(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected Transition<ClaimAnswer> claim(Mark mark, ClaimRequest request, Duration lease) {
      Transition<ClaimAnswer> right = super.claim(mark, request, lease);
      if (!(right.answer() instanceof ClaimAnswer.Busy)) {
        return right;
      }
      Claim it = mark.claim();
      Attempt last = it.attempt();
      Attempt more = new Attempt(last.number() + 1, last.solo(), last.external(), last.inDoubt());
      Claim counted =
          new Claim(it.key(), it.nonce(), it.token(), more, it.fingerprint(), it.origin());
      return new Transition<>(with(mark, counted), right.answer());
    }
  }

  private static class LivesAsLongAsItsLease extends MachineStore {
    LivesAsLongAsItsLease(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected Transition<ClaimAnswer> claim(Mark mark, ClaimRequest request, Duration lease) {
      boolean over = mark.state() == MarkState.PROCESSING && !mark.leasedAt(now());
      return super.claim(over ? Mark.absent(mark.key()) : mark, request, lease);
    }
  }

  private static Mark with(Mark mark, Claim claim) {
    return new Mark(claim, mark.state(), mark.claimedAt(), mark.until(), mark.detail());
  }

  private static class ComparesNoPayloadsOfDone extends MachineStore {
    ComparesNoPayloadsOfDone(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected Transition<ClaimAnswer> claim(Mark mark, ClaimRequest request, Duration lease) {
      Fingerprint known =
          mark.state() == MarkState.DONE ? mark.claim().fingerprint() : request.fingerprint();
      return super.claim(mark, Bench.withFingerprint(request, known), lease);
    }
  }

  private static class ForgetsResults extends MachineStore {
    ForgetsResults(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected Transition<SettleAnswer> settle(Mark mark, Settlement it) {
      Verdict verdict =
          it.verdict() instanceof Verdict.Done ? Verdict.Done.WITHOUT_RESULT : it.verdict();
      return super.settle(mark, new Settlement(it.claim(), verdict));
    }
  }

  private static class WritesTheLostAsDead extends MachineStore {
    WritesTheLostAsDead(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected Transition<SettleAnswer> settle(Mark mark, Settlement it) {
      boolean lost = mark.state() == MarkState.ABSENT && it.verdict() instanceof Verdict.Dead;
      Mark held = new Mark(it.claim(), MarkState.PROCESSING, now(), now(), Bytes.EMPTY);
      return lost
          ? new Transition<>(super.settle(held, it).next(), new SettleAnswer.Settled(true))
          : super.settle(mark, it);
    }
  }

  private static class RenewsTheLostWithItsAttempt extends MachineStore {
    RenewsTheLostWithItsAttempt(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected Transition<RenewAnswer> renew(Mark mark, Claim claim, Duration lease) {
      Transition<RenewAnswer> right = super.renew(mark, claim, lease);
      return mark.state() == MarkState.ABSENT
          ? new Transition<>(with(right.next(), claim), right.answer())
          : right;
    }
  }

  private static class PurgesDead extends MachineStore {
    PurgesDead(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected boolean mayBePurged(Mark mark) {
      return mark.state() == MarkState.DONE || mark.state() == MarkState.DEAD;
    }
  }

  private static class AnswersInKeyOrder extends MachineStore {
    AnswersInKeyOrder(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    public List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
      List<ClaimRequest> sorted = new ArrayList<>(requests);
      Collections.sort(sorted, (one, two) -> one.key().compareTo(two.key()));
      return super.claim(sorted, lease);
    }
  }

  private static class StripsIds extends MachineStore {
    StripsIds(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    public List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
      return super.claim(requests.stream().map(StripsIds::stripped).toList(), lease);
    }

    private static ClaimRequest stripped(ClaimRequest request) {
      String id = new String(request.key().id().toByteArray(), StandardCharsets.UTF_8).strip();
      MessageKey key = MessageKey.of(request.key().scope(), id.isEmpty() ? "-" : id);
      return new ClaimRequest(
          key, request.nonce(), request.fingerprint(), request.origin(), request.terms());
    }
  }

  private static class PurgesByAge extends MachineStore {
    PurgesByAge(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    public int purge(int limit) {
      Instant horizon = now().minus(retention());
      List<Mark> old = marks().values().stream()
          .filter(mark -> mark.claimedAt().isBefore(horizon))
          .limit(limit)
          .toList();
      return (int) old.stream().filter(mark -> marks().remove(mark.key(), mark)).count();
    }
  }

  /** By how far server and client differ when the first claim is made, leases are off for ever. */
  private static class JudgesByClient extends MachineStore {
    private final InstantSource server;
    private final Instant opened;
    private Optional<Duration> off = Optional.empty();

    JudgesByClient(InstantSource clock, Duration retention) {
      super(clock, retention);
      this.server = clock;
      this.opened = clock.instant();
    }

    @Override
    protected synchronized Transition<ClaimAnswer> claim(
        Mark mark, ClaimRequest request, Duration lease) {
      Duration difference = off.orElseGet(() -> Duration.between(opened, server.instant()));
      off = Optional.of(difference);
      Duration byClient = lease.minus(difference);
      return super.claim(mark, request, byClient.isZero() ? Duration.ofMillis(1) : byClient);
    }
  }
}
