package io.hapax;

import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MarkState;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** What is under the engine, wrong in one point each. */
final class LossyMutants {

  private LossyMutants() {}

  /** The mark goes with its lease, as a key with a time to live does. */
  static final class LivesAsLongAsItsLease extends LossyStore {
    private final InstantSource clock;

    LivesAsLongAsItsLease(InstantSource clock) {
      super(clock);
      this.clock = clock;
    }

    @Override
    ClaimAnswer claim(ClaimRequest request, Duration lease) {
      boolean over = mark(request.key())
          .filter(mark -> mark.state() == MarkState.PROCESSING)
          .filter(mark -> !mark.leasedAt(clock.instant()))
          .isPresent();
      if (over) {
        forget(request.key());
      }
      return super.claim(request, lease);
    }
  }

  /** What is done is forgotten before the broker has stopped to deliver it. */
  static final class KeepsDoneTooShortly extends LossyStore {
    private static final Duration RETENTION = Duration.ofSeconds(5);

    private final InstantSource clock;

    KeepsDoneTooShortly(InstantSource clock) {
      super(clock);
      this.clock = clock;
    }

    @Override
    ClaimAnswer claim(ClaimRequest request, Duration lease) {
      boolean old = mark(request.key())
          .filter(mark -> mark.state() == MarkState.DONE)
          .filter(mark -> mark.until().plus(RETENTION).isBefore(clock.instant()))
          .isPresent();
      if (old) {
        forget(request.key());
      }
      return super.claim(request, lease);
    }
  }

  /** A message in progress is called a duplicate. */
  static final class CallsBusyDone extends LossyStore {
    CallsBusyDone(InstantSource clock) {
      super(clock);
    }

    @Override
    ClaimAnswer claim(ClaimRequest request, Duration lease) {
      ClaimAnswer answer = super.claim(request, lease);
      return answer instanceof ClaimAnswer.Busy
          ? new ClaimAnswer.Done(Bytes.EMPTY, Instant.EPOCH, false)
          : answer;
    }
  }

  /** Whoever fails is believed to have had no effect. */
  static final class ForgetsDoubt extends LossyStore {
    ForgetsDoubt(InstantSource clock) {
      super(clock);
    }

    @Override
    SettleAnswer settle(Settlement it) {
      Verdict verdict = it.verdict() instanceof Verdict.Retry retry
          ? new Verdict.Retry(retry.after(), false)
          : it.verdict();
      return super.settle(new Settlement(it.claim(), verdict));
    }
  }

  /** The key of a failed message is deleted. */
  static final class DeletesWhatFailed extends LossyStore {
    DeletesWhatFailed(InstantSource clock) {
      super(clock);
    }

    @Override
    SettleAnswer settle(Settlement it) {
      SettleAnswer answer = super.settle(it);
      if (it.verdict() instanceof Verdict.Retry && answer instanceof SettleAnswer.Settled) {
        forget(it.claim().key());
      }
      return answer;
    }
  }

  /** The engine is told that what got lost went well. */
  static final class SilenceIsSuccess extends LossyConsumer {
    SilenceIsSuccess(LossyWorld world, long seed) {
      super(world, seed);
    }

    @Override
    Object lost(String what, String verb, Object[] args) {
      return verb.equals("settle")
          ? ((List<?>) args[0])
              .stream().map(it -> new SettleAnswer.Settled(false)).toList()
          : super.lost(what, verb, args);
    }
  }

  /** Where nobody answers there is said to be a duplicate. */
  static final class AnOutageIsADuplicate extends LossyConsumer {
    AnOutageIsADuplicate(LossyWorld world, long seed) {
      super(world, seed);
    }

    @Override
    Object lost(String what, String verb, Object[] args) {
      return verb.equals("claim")
          ? ((List<?>) args[0])
              .stream()
                  .map(it -> new ClaimAnswer.Done(Bytes.EMPTY, Instant.EPOCH, false))
                  .toList()
          : super.lost(what, verb, args);
    }
  }
}
