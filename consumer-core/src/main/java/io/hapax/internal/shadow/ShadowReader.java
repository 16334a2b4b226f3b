package io.hapax.internal.shadow;

import io.hapax.adapter.Incoming;
import io.hapax.internal.message.Identity;
import io.hapax.internal.message.Interrupted;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.mark.ConsumerScope;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.MessageKeys;
import io.hapax.policy.MissingFingerprintPolicy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Reads ids and fingerprints, whose errors hold back no message in shadow mode. */
final class ShadowReader<M> {

  private final Identity<M> identity;
  private final boolean comparesAll;
  private final AtomicLong runs = new AtomicLong();

  ShadowReader(String consumer, EngineSettings.Reading<M> reading) {
    this.identity = new Identity<>(
        new MessageKeys(new ConsumerScope(consumer, 0).joined()),
        reading.ids(),
        reading.missingIds(),
        reading.fingerprint());
    this.comparesAll = reading.missingFingerprints() != MissingFingerprintPolicy.NOT_COMPARED;
  }

  List<Incoming<Shadowed<M>>> read(List<Incoming<M>> messages) {
    return messages.stream().map(this::read).toList();
  }

  private Incoming<Shadowed<M>> read(Incoming<M> it) {
    Shadowed<M> shadowed = shadowed(it);
    return new Incoming<>(
        new ShadowedHandout<>(it.handout(), shadowed),
        it.lane(),
        it.inOrder(),
        it.coordinates(),
        it.probation(),
        it.timestampMillis(),
        it.lastDelivery());
  }

  private Shadowed<M> shadowed(Incoming<M> it) {
    String run = "run " + runs.incrementAndGet();
    try {
      M message = it.message();
      return new Shadowed<>(message, run, key(it, message), fingerprint(message));
    } catch (RuntimeException e) { // it cannot be read again now: its call will fail
      return new Shadowed<>(null, run, Optional.empty(), Optional.empty());
    }
  }

  private Optional<MessageKey> key(Incoming<M> incoming, M message) {
    Optional<MessageKey> own;
    try {
      own = identity.ownKeyOf(message);
    } catch (Throwable e) { // a function in another language may throw any
      keepInterrupt(e);
      own = Optional.empty();
    }
    return own.isPresent() ? own : identity.keyOf(incoming.coordinates());
  }

  private Optional<Fingerprint> fingerprint(M message) {
    try {
      return Optional.of(identity.fingerprintOf(message));
    } catch (Throwable e) { // a function in another language may throw any
      keepInterrupt(e);
      return comparesAll ? Optional.empty() : Optional.of(Fingerprint.NONE);
    }
  }

  /** Sets the interrupt of the thread again: without Hapax nothing would have taken it. */
  private static void keepInterrupt(Throwable thrown) {
    if (Interrupted.isBehind(thrown)) {
      Thread.currentThread().interrupt();
    }
  }
}
