package io.hapax.internal.shadow;

import io.hapax.adapter.Outcome;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A message of a receiver in shadow mode.
 *
 * @param message the broker's message
 * @param run the id of this run, which no other run has
 * @param key its key; empty if it has no usable id
 * @param fingerprint its fingerprint; empty if it has none
 * @param outcome the outcome of its run, once it is known
 * @param started whether its handler was called
 */
record Shadowed<M>(
    M message,
    String run,
    Optional<MessageKey> key,
    Optional<Fingerprint> fingerprint,
    CompletableFuture<Outcome> outcome,
    AtomicBoolean started) {

  /** Of a message that has not run. */
  Shadowed(M message, String run, Optional<MessageKey> key, Optional<Fingerprint> fingerprint) {
    this(message, run, key, fingerprint, new CompletableFuture<>(), new AtomicBoolean());
  }

  /** Returns whether its handler was called. */
  boolean hasRun() {
    return started.get();
  }
}
