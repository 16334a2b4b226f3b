package io.hapax.internal.settle;

import io.hapax.DeadLetter.Kind;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.internal.message.BlockedMessages;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.internal.settle.DeadLetters.Letter;
import io.hapax.policy.MissingFingerprintPolicy;
import io.hapax.policy.MissingIdPolicy;
import java.time.Duration;
import java.util.Optional;

/** Finishes messages that cannot own a mark; without a dead-letter record they block their lane. */
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
   * Finishes a message without id or fingerprint; returns the deferral that stops its lane, if any.
   */
  public Optional<Deferred> finish(InFlightMessage<M> message) {
    String subject = "the message at " + message.incoming.coordinates();
    if (message.key().isEmpty()) {
      String detail = subject + " has no usable id";
      return reading.missingIds() == MissingIdPolicy.FAIL
          ? stop(message, Reason.MISSING_ID, detail)
          : deadLetter(message, Kind.MISSING_ID, detail);
    }
    String detail = subject + " has no fingerprint";
    return reading.missingFingerprints() == MissingFingerprintPolicy.FAIL
        ? stop(message, Reason.MISSING_FINGERPRINT, detail)
        : deadLetter(message, Kind.MISSING_FINGERPRINT, detail);
  }

  private Optional<Deferred> stop(InFlightMessage<M> message, Reason reason, String detail) {
    blocked.block(message, detail, pause);
    Deferred stop = new Deferred(reason, pause, detail);
    message.withoutMark();
    outcomes.finish(message, stop);
    return Optional.of(stop);
  }

  Optional<Deferred> deadLetter(InFlightMessage<M> message, Kind kind, String detail) {
    Optional<Deferred> refused = 
        deadLetters.publish(message, new Letter(0, kind, detail, false, Optional.empty()));
    message.withoutMark();
    outcomes.finish(
        message, refused.map(it -> (Outcome) it).orElseGet(() -> new Outcome.DeadLettered(detail)));
    return refused;
  }
}
