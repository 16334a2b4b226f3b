package io.hapax.testkit;

import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkMachine;
import io.hapax.mark.MarkState;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Transition;
import io.hapax.mark.Verdict;
import io.hapax.testkit.BrokenStores.Broken;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.BiFunction;

/** Stores with one bug each in renewals and settlements. */
final class BrokenOwners {

  /** Settles as {@link MarkMachine#settle} does, but for a bug. */
  interface Settlements {
    Transition<SettleAnswer> settle(Mark mark, Settlement settlement, Instant now);
  }

  private interface Renewals {
    Transition<RenewAnswer> renew(Mark mark, Claim claim, Duration lease, Instant now);
  }

  static final List<Broken> ALL = List.of(
      new Broken(
          "settles without comparing nonce and token",
          "the_token_alone_and_the_nonce_alone_settle_nothing",
          settlements((mark, it, now) -> {
            Claim current = mark.state() == MarkState.ABSENT ? it.claim() : mark.claim();
            return MarkMachine.settle(mark, new Settlement(current, it.verdict()), now);
          })),
      new Broken(
          "releases by deleting the mark",
          "tokens_grow_over_release_retry_and_takeover",
          settlements((mark, it, now) -> {
            Transition<SettleAnswer> right = MarkMachine.settle(mark, it, now);
            boolean released = it.verdict() instanceof Verdict.Release
                && right.answer() instanceof SettleAnswer.Settled;
            return released ? new Transition<>(Mark.absent(mark.key()), right.answer()) : right;
          })),
      new Broken(
          "counts a deferral as an attempt",
          "defer_gives_the_attempt_back_and_is_due_after_the_wait",
          settlements((mark, it, now) -> {
            Verdict verdict = it.verdict() instanceof Verdict.Defer defer
                ? new Verdict.Retry(defer.after(), false)
                : it.verdict();
            return MarkMachine.settle(mark, new Settlement(it.claim(), verdict), now);
          })),
      new Broken(
          "refuses an owner with an expired lease",
          "a_mark_in_each_state_is_answered_and_changed_as_by_the_machine",
          renewals((mark, claim, lease, now) ->
              mark.state() == MarkState.PROCESSING && !mark.leasedAt(now)
                  ? new Transition<>(mark, new RenewAnswer.Fenced(mark.state()))
                  : MarkMachine.renew(mark, claim, lease, now))),
      new Broken(
          "writes a lost mark as dead",
          "settling_a_lost_mark_as_dead_writes_no_mark",
          settlements((mark, it, now) -> {
            boolean lost = mark.state() == MarkState.ABSENT && it.verdict() instanceof Verdict.Dead;
            Mark held = new Mark(it.claim(), MarkState.PROCESSING, now, now, Bytes.EMPTY);
            return lost
                ? new Transition<>(
                    MarkMachine.settle(held, it, now).next(), new SettleAnswer.Settled(true))
                : MarkMachine.settle(mark, it, now);
          })),
      new Broken(
          "renews a lost mark with its attempt",
          "a_lost_mark_that_was_written_again_never_becomes_dead",
          renewals((mark, claim, lease, now) -> {
            Transition<RenewAnswer> right = MarkMachine.renew(mark, claim, lease, now);
            return mark.state() == MarkState.ABSENT
                ? new Transition<>(BrokenClaims.with(right.next(), claim), right.answer())
                : right;
          })),
      new Broken(
          "forgets results", "done_is_answered_with_its_result", settlements((mark, it, now) -> {
            Verdict verdict =
                it.verdict() instanceof Verdict.Done ? Verdict.Done.WITHOUT_RESULT : it.verdict();
            return MarkMachine.settle(mark, new Settlement(it.claim(), verdict), now);
          })));

  private BrokenOwners() {}

  static BiFunction<InstantSource, Duration, MachineStore> settlements(Settlements broken) {
    return (clock, retention) -> new MachineStore(clock, retention) {
      @Override
      protected Transition<SettleAnswer> settle(Mark mark, Settlement settlement) {
        return broken.settle(mark, settlement, now());
      }
    };
  }

  private static BiFunction<InstantSource, Duration, MachineStore> renewals(Renewals broken) {
    return (clock, retention) -> new MachineStore(clock, retention) {
      @Override
      protected Transition<RenewAnswer> renew(Mark mark, Claim claim, Duration lease) {
        return broken.renew(mark, claim, lease, now());
      }
    };
  }
}
