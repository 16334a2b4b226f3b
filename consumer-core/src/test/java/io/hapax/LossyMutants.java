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

/** Puts one mistake each under the engine, and names what it costs a user. */
final class LossyMutants {

  private LossyMutants() {}

  /** Drops the mark with its lease: attempts, doubt and the old token go with it. */
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

  /** Forgets done messages too soon: a replay runs again without a report. */
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

  /** Answers that a message in progress is done: if the first run dies, the message is lost. */
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

  /** Takes every failure for one without effect: an effect is repeated without a question. */
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

  /** Deletes the key of a failed message: no mark says that the effect may have happened. */
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

  /** Reports a lost settlement as settled: the message is lost if the settlement never arrived. */
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

  /** Takes an outage of the store for a duplicate: every message of the outage is lost. */
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
