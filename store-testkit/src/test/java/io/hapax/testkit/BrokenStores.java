package io.hapax.testkit;

import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Transition;
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

/** Stores with one bug each, as real stores have had them. */
final class BrokenStores {

  /** A bug, the test of the contract that must detect it, and the store. */
  record Broken(
      String what, String contractTest, BiFunction<InstantSource, Duration, DedupStore> opening) {}

  static final List<Broken> ALL = List.of(
      new Broken(
          "lists no leased marks",
          "a_generation_stays_while_a_message_of_it_is_worked_on",
          BrokenLists.ListsNoLeasedMarks::new),
      new Broken(
          "lists stale marks as leased",
          "a_generation_moves_over_what_vanished_owners_and_failures_left",
          BrokenLists.ListsStaleAsLeased::new),
      new Broken(
          "purges by the age of the claim",
          "no_time_and_no_purge_takes_a_generation_away",
          PurgesByAge::new),
      new Broken(
          "lists retries as dead",
          "no_list_shows_a_generation",
          BrokenLists.ListsRetriesAsDead::new),
      new Broken(
          "settles without comparing nonce and token",
          "the_token_alone_and_the_nonce_alone_settle_nothing",
          BrokenOwners.SettlesForStrangers::new),
      new Broken(
          "releases by deleting the mark",
          "tokens_grow_over_release_retry_and_takeover",
          BrokenOwners.ReleasesByDelete::new),
      new Broken(
          "counts a deferral as an attempt",
          "defer_gives_the_attempt_back_and_is_due_after_the_wait",
          BrokenOwners.ChargesForDeferrals::new),
      new Broken(
          "executes claims that arrive too late",
          "a_claim_that_comes_after_its_time_changes_nothing",
          BrokenClaims.ExecutesLateClaims::new),
      new Broken(
          "refuses an owner with an expired lease",
          "an_owner_with_an_expired_lease_may_renew_before_a_takeover",
          BrokenOwners.RefusesOldOwners::new),
      new Broken(
          "takes a living lease over",
          "another_nonce_is_busy_for_the_rest_of_the_lease",
          BrokenClaims.StealsLeases::new),
      new Broken(
          "takes over without a solo claim",
          "a_lost_claim_makes_the_message_a_suspect_that_needs_a_solo_claim",
          BrokenClaims.TakesOverWithoutSolo::new),
      new Broken(
          "gives a resend a new token",
          "the_same_nonce_gets_the_same_claim_again_and_a_renewed_lease",
          BrokenClaims.NewTokenForResend::new),
      new Broken(
          "breaks a living lease without force",
          "a_living_lease_is_broken_by_force_only_and_its_owner_is_fenced",
          BrokenOperators.BreaksEveryLease::new),
      new Broken(
          "compares the token only of what an operator saw",
          "a_mark_settled_done_since_the_operator_looked_stays_done",
          BrokenOperators.ComparesTheTokenOnly::new),
      new Broken(
          "keeps the fingerprint of what is reopened for any payload",
          "reopened_for_any_payload_the_genuine_message_runs",
          BrokenOperators.KeepsTheFingerprint::new),
      new Broken(
          "compares no payloads once it is done",
          "another_payload_conflicts_with_a_settled_mark",
          BrokenClaims.ComparesNoPayloadsOfDone::new),
      new Broken(
          "writes a lost mark as dead",
          "settling_a_lost_mark_as_dead_writes_no_mark",
          BrokenOwners.WritesLostMarksAsDead::new),
      new Broken(
          "renews a lost mark with its attempt",
          "a_lost_mark_that_was_written_again_never_becomes_dead",
          BrokenOwners.RenewsLostMarksWithAttempt::new),
      new Broken(
          "forgets results", "done_is_answered_with_its_result", BrokenOwners.ForgetsResults::new),
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
          "ignores blanks around ids",
          "ids_that_look_alike_are_different_messages",
          StripsIds::new),
      new Broken(
          "settles ids that differ in blanks together",
          "messages_that_look_alike_end_each_in_its_own_way",
          StripsIds::new),
      new Broken(
          "lists ids in lower case",
          "operators_are_shown_ids_that_look_alike_as_they_are",
          BrokenLists.ListsSmallLetters::new),
      new Broken(
          "lists what is stale without its owner",
          "a_stale_mark_is_listed_with_owner_coordinates_and_age",
          BrokenLists.ListsNoOwner::new),
      new Broken(
          "lists what is in doubt without its owner",
          "a_mark_in_doubt_is_listed_with_owner_and_next_attempt",
          BrokenLists.ListsNoOwner::new),
      new Broken(
          "begins every page of what is stale anew",
          "stale_marks_and_those_in_doubt_are_shown_in_pages_too",
          BrokenLists.ListsFirstPages::new),
      new Broken(
          "writes leases by a client's clock that is late",
          "a_client_whose_clock_is_behind_neither_steals_nor_loses_a_lease",
          JudgesByClient::new),
      new Broken(
          "writes leases by a client's clock that is ahead",
          "a_client_whose_clock_is_ahead_neither_steals_nor_loses_a_lease",
          JudgesByClient::new),
      new Broken(
          "differs from the machine when a clock is off",
          "a_client_whose_clock_is_ahead_gets_the_answers_of_the_machine",
          JudgesByClient::new),
      new Broken(
          "opens a claim for the nonce of a released one",
          "the_nonce_of_a_released_claim_acquires_nothing",
          BrokenClaims.OpensToOldNonces::new),
      new Broken(
          "counts an attempt for being busy",
          "being_busy_costs_no_attempt",
          BrokenClaims.CountsBusy::new),
      new Broken(
          "deletes a mark when its lease expires",
          "a_lost_claim_makes_the_message_a_suspect_that_needs_a_solo_claim",
          BrokenClaims.LivesAsLongAsItsLease::new));

  private BrokenStores() {}

  static Broken that(String what) {
    return ALL.stream().filter(broken -> broken.what().equals(what)).findFirst().orElseThrow();
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

  /** The difference between server and client clock at the first claim shifts all later leases. */
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
