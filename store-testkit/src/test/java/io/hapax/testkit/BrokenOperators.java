package io.hapax.testkit;

import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.Resolution;
import io.hapax.mark.Transition;
import java.time.Duration;
import java.time.InstantSource;

/** Stores with one bug each in an operator's decisions. */
final class BrokenOperators {

  private BrokenOperators() {}

  static final class BreaksEveryLease extends MachineStore {
    BreaksEveryLease(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected Transition<Boolean> resolve(
        Mark mark, long expectedToken, MarkState expectedState, Resolution resolution) {
      return super.resolve(mark, expectedToken, expectedState, resolution.force());
    }
  }

  static final class ComparesTheTokenOnly extends MachineStore {
    ComparesTheTokenOnly(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected Transition<Boolean> resolve(
        Mark mark, long expectedToken, MarkState expectedState, Resolution resolution) {
      return super.resolve(mark, expectedToken, mark.state(), resolution);
    }
  }

  static final class KeepsTheFingerprint extends MachineStore {
    KeepsTheFingerprint(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected Transition<Boolean> resolve(
        Mark mark, long expectedToken, MarkState expectedState, Resolution resolution) {
      boolean reopens = resolution.kind() == Resolution.Kind.REOPEN_ANY_PAYLOAD;
      return super.resolve(
          mark,
          expectedToken,
          expectedState,
          reopens ? new Resolution(Resolution.Kind.REOPEN, resolution.forced()) : resolution);
    }
  }
}
