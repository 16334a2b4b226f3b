package io.hapax.internal.shadow;

import io.hapax.adapter.Outcome;
import io.hapax.errors.NotAppliedException;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A message of a receiver in shadow mode. The message is null if it could not be read again yet.
 * The id of its run is its own. The outcome is that of its run, once it is known.
 */
record Shadowed<M>(
    @Nullable M message,
    String run,
    Optional<MessageKey> key,
    Optional<Fingerprint> fingerprint,
    CompletableFuture<Outcome> outcome,
    AtomicReference<Call> call) {

  /** The call of a handler. */
  enum Call {
    /** It has not begun. */
    NONE,
    /** It has begun, and may have an effect. */
    BEGUN,
    /** It failed before its effect. */
    NOT_APPLIED
  }

  Shadowed(
      @Nullable M message,
      String run,
      Optional<MessageKey> key,
      Optional<Fingerprint> fingerprint) {
    this(
        message,
        run,
        key,
        fingerprint,
        new CompletableFuture<>(),
        new AtomicReference<>(Call.NONE));
  }

  /** Returns the same run with another object of its message. */
  Shadowed<M> with(M other) {
    return other == message ? this : new Shadowed<>(other, run, key, fingerprint, outcome, call);
  }

  void begun() {
    call.set(Call.BEGUN);
  }

  void failed(@Nullable Throwable error) {
    if (error instanceof NotAppliedException) {
      call.set(Call.NOT_APPLIED);
    }
  }

  /** Returns whether its handler was called, and may have had an effect. */
  boolean mayHaveActed() {
    return call.get() == Call.BEGUN;
  }

  boolean hasRun() {
    return call.get() != Call.NONE;
  }
}
