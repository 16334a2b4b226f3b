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
import java.time.Duration;
import java.time.InstantSource;

/** Stores with one bug each in renewals and settlements. */
final class BrokenOwners {

  private BrokenOwners() {}

  static final class SettlesForStrangers extends MachineStore {
    SettlesForStrangers(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected Transition<SettleAnswer> settle(Mark mark, Settlement it) {
      Claim current = mark.state() == MarkState.ABSENT ? it.claim() : mark.claim();
      return MarkMachine.settle(mark, new Settlement(current, it.verdict()), now());
    }
  }

  static final class ReleasesByDelete extends MachineStore {
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

  /** Counts a deferral as a failed attempt. */
  static final class ChargesForDeferrals extends MachineStore {
    ChargesForDeferrals(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected Transition<SettleAnswer> settle(Mark mark, Settlement it) {
      Verdict verdict = it.verdict() instanceof Verdict.Defer defer
          ? new Verdict.Retry(defer.after(), false)
          : it.verdict();
      return super.settle(mark, new Settlement(it.claim(), verdict));
    }
  }

  static final class RefusesOldOwners extends MachineStore {
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

  static final class ForgetsResults extends MachineStore {
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

  static final class WritesLostMarksAsDead extends MachineStore {
    WritesLostMarksAsDead(InstantSource clock, Duration retention) {
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

  static final class RenewsLostMarksWithAttempt extends MachineStore {
    RenewsLostMarksWithAttempt(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected Transition<RenewAnswer> renew(Mark mark, Claim claim, Duration lease) {
      Transition<RenewAnswer> right = super.renew(mark, claim, lease);
      return mark.state() == MarkState.ABSENT
          ? new Transition<>(BrokenClaims.with(right.next(), claim), right.answer())
          : right;
    }
  }
}
