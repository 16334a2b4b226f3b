package io.hapax.internal;

import io.hapax.Incoming;
import io.hapax.MissingFingerprintPolicy;
import io.hapax.Outcome;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.MessageKeys;
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
final class Intake<M> {

  private static final Logger LOG = LoggerFactory.getLogger(Intake.class);

  private final Identity<M> identity;
  private final boolean comparesAll;
  private final Events events;

  Intake(String scope, EngineSettings.Reading<M> reading, Events events) {
    this.identity = new Identity<>(
        new MessageKeys(scope), reading.ids(), reading.missingIds(), reading.fingerprint());
    this.comparesAll = reading.missingFingerprints() != MissingFingerprintPolicy.NOT_COMPARED;
    this.events = events;
  }

  List<Item<M>> read(Batch<M> batch, List<Incoming<M>> messages) {
    List<Item<M>> items = new ArrayList<>(messages.size());
    for (Incoming<M> message : messages) {
      items.add(item(batch, items.size(), message));
    }
    return Collections.unmodifiableList(items);
  }

  private Item<M> item(Batch<M> batch, int index, Incoming<M> message) {
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

  private static <M> Item<M> unread(
      Batch<M> batch, int index, Incoming<M> message, Outcome because) {
    Item<M> unread = Item.unmarked(batch, index, message, Optional.empty());
    var unused = unread.giveUp(because);
    return unread;
  }

  private Item<M> read(Batch<M> batch, int index, Incoming<M> message) {
    Optional<MessageKey> key = keyOf(message);
    if (key.isEmpty()) {
      return Item.unmarked(batch, index, message, key);
    }
    try {
      return new Item<>(batch, index, message, key, identity.fingerprintOf(message.message()));
    } catch (RuntimeException | Error e) {
      throwIfOfTheProcess(e);
      LOG.warn("No fingerprint at {}", message.coordinates(), Descriptions.loggable(e));
      return comparesAll
          ? Item.unmarked(batch, index, message, key)
          : new Item<>(batch, index, message, key, Fingerprint.NONE);
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
