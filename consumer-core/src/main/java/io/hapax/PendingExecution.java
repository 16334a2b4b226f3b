package io.hapax;

import io.hapax.errors.NotAppliedException;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One execution, as the message of the receiver inside an executor. The thread that executes it
 * runs the call and reads what became of it.
 */
final class PendingExecution<A> {

  /** The user's call. */
  interface Call<A> {
    Bytes run(A attempt) throws Exception;
  }

  static final String IN_DOUBT = "an earlier call may have taken effect";

  private final Bytes id;
  private final Fingerprint fingerprint;
  private final Call<A> call;
  private boolean started;
  private boolean refused;
  private @Nullable Bytes result;
  private @Nullable Throwable failure;

  PendingExecution(Bytes id, Fingerprint fingerprint, Call<A> call) {
    this.id = id;
    this.fingerprint = fingerprint;
    this.call = call;
  }

  Bytes id() {
    return id;
  }

  Fingerprint fingerprint() {
    return fingerprint;
  }

  /** Runs the call; a transactional one may run again after a rollback. */
  Bytes run(A attempt) throws InterruptedException {
    started = true;
    result = null;
    failure = null;
    try {
      Bytes returned = Objects.requireNonNull(call.run(attempt), "result");
      result = returned;
      return returned;
    } catch (InterruptedException interrupted) {
      failure = interrupted;
      throw interrupted; // so that the receiver counts it as an interrupt of this thread
    } catch (Throwable thrown) {
      failure = thrown;
      throw FailedExecution.of(thrown);
    }
  }

  /** Refuses to run the call, and returns what leaves its mark in doubt. */
  RuntimeException refusal() {
    refused = true;
    return FailedExecution.of(new NotAppliedException(IN_DOUBT));
  }

  boolean refused() {
    return refused;
  }

  /** Returns whether its claim is being settled: the call has ended, or was refused. */
  boolean ended() {
    return refused || result != null || failure != null;
  }

  boolean started() {
    return started;
  }

  /** Returns what the last run of the call returned; empty if it did not return. */
  Optional<Bytes> result() {
    return Optional.ofNullable(result);
  }

  Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }
}
