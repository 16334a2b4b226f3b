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
import java.util.List;

/** Stores with one bug each in renewals and settlements. */
final class BrokenOwners {

  static final List<Broken> ALL = List.of(
      new Broken(
          "settles without comparing nonce and token",
          "the_token_alone_and_the_nonce_alone_settle_nothing",
          (clock, retention) -> new MachineStore(clock, retention) {
            @Override
            protected Transition<SettleAnswer> settle(Mark mark, Settlement it) {
              Claim current = mark.state() == MarkState.ABSENT ? it.claim() : mark.claim();
              return MarkMachine.settle(mark, new Settlement(current, it.verdict()), now());
            }
          }),
      new Broken(
          "releases by deleting the mark",
          "tokens_grow_over_release_retry_and_takeover",
          (clock, retention) -> new MachineStore(clock, retention) {
            @Override
            protected Transition<SettleAnswer> settle(Mark mark, Settlement it) {
              Transition<SettleAnswer> right = super.settle(mark, it);
              boolean released = it.verdict() instanceof Verdict.Release
                  && right.answer() instanceof SettleAnswer.Settled;
              return released ? new Transition<>(Mark.absent(mark.key()), right.answer()) : right;
            }
          }),
      new Broken(
          "counts a deferral as an attempt",
          "defer_gives_the_attempt_back_and_is_due_after_the_wait",
          (clock, retention) -> new MachineStore(clock, retention) {
            @Override
            protected Transition<SettleAnswer> settle(Mark mark, Settlement it) {
              Verdict verdict = it.verdict() instanceof Verdict.Defer defer
                  ? new Verdict.Retry(defer.after(), false)
                  : it.verdict();
              return super.settle(mark, new Settlement(it.claim(), verdict));
            }
          }),
      new Broken(
          "refuses an owner with an expired lease",
          "an_owner_with_an_expired_lease_may_renew_before_a_takeover",
          (clock, retention) -> new MachineStore(clock, retention) {
            @Override
            protected Transition<RenewAnswer> renew(Mark mark, Claim claim, Duration lease) {
              return mark.state() == MarkState.PROCESSING && !mark.leasedAt(now())
                  ? new Transition<>(mark, new RenewAnswer.Fenced(mark.state()))
                  : super.renew(mark, claim, lease);
            }
          }),
      new Broken(
          "writes a lost mark as dead",
          "settling_a_lost_mark_as_dead_writes_no_mark",
          (clock, retention) -> new MachineStore(clock, retention) {
            @Override
            protected Transition<SettleAnswer> settle(Mark mark, Settlement it) {
              boolean lost =
                  mark.state() == MarkState.ABSENT && it.verdict() instanceof Verdict.Dead;
              Mark held = new Mark(it.claim(), MarkState.PROCESSING, now(), now(), Bytes.EMPTY);
              return lost
                  ? new Transition<>(super.settle(held, it).next(), new SettleAnswer.Settled(true))
                  : super.settle(mark, it);
            }
          }),
      new Broken(
          "renews a lost mark with its attempt",
          "a_lost_mark_that_was_written_again_never_becomes_dead",
          (clock, retention) -> new MachineStore(clock, retention) {
            @Override
            protected Transition<RenewAnswer> renew(Mark mark, Claim claim, Duration lease) {
              Transition<RenewAnswer> right = super.renew(mark, claim, lease);
              return mark.state() == MarkState.ABSENT
                  ? new Transition<>(BrokenClaims.with(right.next(), claim), right.answer())
                  : right;
            }
          }),
      new Broken(
          "forgets results",
          "done_is_answered_with_its_result",
          (clock, retention) -> new MachineStore(clock, retention) {
            @Override
            protected Transition<SettleAnswer> settle(Mark mark, Settlement it) {
              Verdict verdict =
                  it.verdict() instanceof Verdict.Done ? Verdict.Done.WITHOUT_RESULT : it.verdict();
              return super.settle(mark, new Settlement(it.claim(), verdict));
            }
          }));

  private BrokenOwners() {}
}
