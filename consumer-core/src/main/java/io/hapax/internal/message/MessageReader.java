package io.hapax.internal.message;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Descriptions;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.internal.runtime.FailStop;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.MessageKeys;
import io.hapax.policy.MissingFingerprintPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the id and the fingerprint of each message of a submission once. After an OutOfMemoryError
 * or an interrupt, the message is given up and redelivered.
 */
public final class MessageReader<M> {

  private static final Logger LOG = LoggerFactory.getLogger(MessageReader.class);

  private final Identity<M> identity;
  private final boolean comparesAll;
  private final Events events;

  public MessageReader(String scope, EngineSettings.Reading<M> reading, Events events) {
    this.identity = new Identity<>(
        new MessageKeys(scope), reading.ids(), reading.missingIds(), reading.fingerprint());
    this.comparesAll = reading.missingFingerprints() != MissingFingerprintPolicy.NOT_COMPARED;
    this.events = events;
  }

  public List<InFlightMessage<M>> read(ActiveSubmission<M> submission) {
    List<InFlightMessage<M>> inFlight = new ArrayList<>(submission.incoming().size());
    for (Incoming<M> message : submission.incoming()) {
      inFlight.add(inFlight(submission, inFlight.size(), message));
    }
    return Collections.unmodifiableList(inFlight);
  }

  private InFlightMessage<M> inFlight(
      ActiveSubmission<M> submission, int index, Incoming<M> message) {
    M received;
    try {
      received = message.message();
    } catch (Throwable e) { // only one that is read again after a call
      events.internalError("reading the message at " + message.coordinates() + " again", e);
      return unread(submission, index, message, Deferrals.broken(e));
    }
    try {
      return read(submission, index, message, received);
    } catch (VirtualMachineError e) {
      events.internalError("reading the message at " + message.coordinates(), e);
      return unread(submission, index, message, Deferrals.broken(e));
    } catch (Interrupted e) {
      Throwable reason = Objects.requireNonNullElse(e.getCause(), e);
      LOG.info(
          "Interrupted while reading the message at {}",
          message.coordinates(),
          Descriptions.loggable(reason));
      return unread(submission, index, message, Deferrals.ABANDONED);
    }
  }

  private static <M> InFlightMessage<M> unread(
      ActiveSubmission<M> submission, int index, Incoming<M> message, Outcome because) {
    InFlightMessage<M> unread =
        InFlightMessage.unmarked(submission, index, message, Optional.empty());
    var unused = unread.giveUp(because);
    return unread;
  }

  private InFlightMessage<M> read(
      ActiveSubmission<M> submission, int index, Incoming<M> message, M received) {
    Optional<MessageKey> key = keyOf(message, received);
    if (key.isEmpty()) {
      return InFlightMessage.unmarked(submission, index, message, key);
    }
    try {
      return new InFlightMessage<>(
          submission, index, message, key, identity.fingerprintOf(received));
    } catch (Throwable e) { // a function in another language may throw any
      throwIfOfTheProcess(e);
      LOG.warn("No fingerprint at {}", message.coordinates(), Descriptions.loggable(e));
      return comparesAll
          ? InFlightMessage.unmarked(submission, index, message, key)
          : new InFlightMessage<>(submission, index, message, key, Fingerprint.NONE);
    }
  }

  private Optional<MessageKey> keyOf(Incoming<M> message, M received) {
    Optional<MessageKey> own = ownKeyOf(message, received);
    if (own.isEmpty()) {
      events.notifyListeners(it -> it.onMissingId(message.coordinates()));
    }
    return own.isPresent() ? own : identity.keyOf(message.coordinates());
  }

  /** Reads the message's own id; an extractor that throws counts as a missing id. */
  private Optional<MessageKey> ownKeyOf(Incoming<M> message, M received) {
    try {
      Optional<MessageKey> own = identity.ownKeyOf(received);
      if (own.isPresent()) {
        return own;
      }
      LOG.warn("No id at {}", message.coordinates());
    } catch (Throwable e) { // a function in another language may throw any
      throwIfOfTheProcess(e);
      LOG.warn("No usable id at {}", message.coordinates(), Descriptions.loggable(e));
    }
    return Optional.empty();
  }

  /** Throws what the message did not cause: no memory, or an interrupt of this thread. */
  private static void throwIfOfTheProcess(Throwable thrown) {
    FailStop.throwIfOfTheProcess(thrown);
    if (Interrupted.isBehind(thrown)) {
      throw new Interrupted(thrown);
    }
  }
}
