package io.hapax.internal.message;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Descriptions;
import io.hapax.internal.runtime.EngineSettings;
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
 * Reads the id and the fingerprint of each message of a submission, once. A message that could not
 * be read for want of memory, or because its thread was interrupted, is given up and comes again.
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

  public List<InFlightMessage<M>> read(ActiveSubmission<M> batch, List<Incoming<M>> messages) {
    List<InFlightMessage<M>> items = new ArrayList<>(messages.size());
    for (Incoming<M> message : messages) {
      items.add(item(batch, items.size(), message));
    }
    return Collections.unmodifiableList(items);
  }

  private InFlightMessage<M> item(ActiveSubmission<M> batch, int index, Incoming<M> message) {
    try {
      return read(batch, index, message);
    } catch (VirtualMachineError e) {
      events.broke("reading the message at " + message.coordinates(), e);
      return unread(batch, index, message, Deferrals.broken(e));
    } catch (Interrupted e) {
      Throwable reason = Objects.requireNonNullElse(e.getCause(), e);
      LOG.info(
          "Interrupted while reading the message at {}",
          message.coordinates(),
          Descriptions.loggable(reason));
      return unread(batch, index, message, Deferrals.ABANDONED);
    }
  }

  private static <M> InFlightMessage<M> unread(
      ActiveSubmission<M> batch, int index, Incoming<M> message, Outcome because) {
    InFlightMessage<M> unread = InFlightMessage.unmarked(batch, index, message, Optional.empty());
    var unused = unread.giveUp(because);
    return unread;
  }

  private InFlightMessage<M> read(ActiveSubmission<M> batch, int index, Incoming<M> message) {
    Optional<MessageKey> key = keyOf(message);
    if (key.isEmpty()) {
      return InFlightMessage.unmarked(batch, index, message, key);
    }
    try {
      return new InFlightMessage<>(
          batch, index, message, key, identity.fingerprintOf(message.message()));
    } catch (RuntimeException | Error e) {
      throwIfOfTheProcess(e);
      LOG.warn("No fingerprint at {}", message.coordinates(), Descriptions.loggable(e));
      return comparesAll
          ? InFlightMessage.unmarked(batch, index, message, key)
          : new InFlightMessage<>(batch, index, message, key, Fingerprint.NONE);
    }
  }

  private Optional<MessageKey> keyOf(Incoming<M> message) {
    Optional<MessageKey> own = ownKeyOf(message);
    if (own.isEmpty()) {
      events.tell(it -> it.onMissingId(message.coordinates()));
    }
    return own.isPresent() ? own : identity.keyOf(message.coordinates());
  }

  /** An extractor that throws has found no id: the policy for missing ids speaks. */
  private Optional<MessageKey> ownKeyOf(Incoming<M> message) {
    try {
      Optional<MessageKey> own = identity.ownKeyOf(message.message());
      if (own.isPresent()) {
        return own;
      }
      LOG.warn("No id at {}", message.coordinates());
    } catch (RuntimeException | Error e) {
      throwIfOfTheProcess(e);
      LOG.warn("No usable id at {}", message.coordinates(), Descriptions.loggable(e));
    }
    return Optional.empty();
  }

  /**
   * That the memory is used up says nothing of the message that met it, nor does an interrupt of
   * the thread that handed it in. That its stack is may: it may be nested too deeply.
   */
  private static void throwIfOfTheProcess(Throwable thrown) {
    if (thrown instanceof VirtualMachineError error && !(error instanceof StackOverflowError)) {
      throw error;
    }
    if (Interrupted.isBehind(thrown)) {
      throw new Interrupted(thrown);
    }
  }
}
