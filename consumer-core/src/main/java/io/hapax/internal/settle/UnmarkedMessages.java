package io.hapax.internal.settle;

import io.hapax.DeadLetter.Kind;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.internal.message.BlockedMessages;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.policy.MissingFingerprintPolicy;
import io.hapax.policy.MissingIdPolicy;
import java.time.Duration;
import java.util.Optional;

/** Finishes messages that cannot own a mark: only a dead-letter record allows their ack. */
public final class UnmarkedMessages<M> {

  private final EngineSettings.Reading<M> reading;
  private final Duration pause;
  private final DeadLetters<M> deadLetters;
  private final BlockedMessages blocked;
  private final Outcomes<M> outcomes;

  public UnmarkedMessages(
      EngineSettings<M> settings,
      DeadLetters<M> deadLetters,
      BlockedMessages blocked,
      Outcomes<M> outcomes) {
    this.reading = settings.reading();
    this.pause = settings.failing().retry().maxBackoff();
    this.deadLetters = deadLetters;
    this.blocked = blocked;
    this.outcomes = outcomes;
  }

  /**
   * Finishes a message without a usable id or a fingerprint.
   *
   * @return the deferral that stops its lane, if it is one
   */
  public Optional<Deferred> finish(InFlightMessage<M> item) {
    String what = "the message at " + item.incoming.coordinates();
    if (item.key().isEmpty()) {
      String detail = what + " has no usable id";
      return reading.missingIds() == MissingIdPolicy.FAIL
          ? stop(item, Reason.MISSING_ID, detail)
          : deadLetter(item, Kind.MISSING_ID, detail);
    }
    String detail = what + " has no fingerprint";
    return reading.missingFingerprints() == MissingFingerprintPolicy.FAIL
        ? stop(item, Reason.MISSING_FINGERPRINT, detail)
        : deadLetter(item, Kind.MISSING_FINGERPRINT, detail);
  }

  private Optional<Deferred> stop(InFlightMessage<M> item, Reason reason, String detail) {
    blocked.stands(item, detail, pause);
    Deferred stop = new Deferred(reason, pause, detail);
    item.withoutMark();
    outcomes.finish(item, stop);
    return Optional.of(stop);
  }

  /** Publishes the dead-letter record of the message and finishes it without a mark. */
  Optional<Deferred> deadLetter(InFlightMessage<M> item, Kind kind, String detail) {
    Optional<Deferred> refused = deadLetters.publish(item, 0, kind, detail, false);
    item.withoutMark();
    outcomes.finish(
        item, refused.map(it -> (Outcome) it).orElseGet(() -> new Outcome.DeadLettered(detail)));
    return refused;
  }
}
