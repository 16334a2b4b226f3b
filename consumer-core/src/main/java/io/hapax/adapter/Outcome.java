package io.hapax.adapter;

import io.hapax.mark.Bytes;
import io.hapax.policy.ConflictPolicy;
import java.time.Duration;

/** The outcome of a submitted message. Only a message that is not deferred may be acknowledged. */
public sealed interface Outcome {

  /** {@return whether the message may be acknowledged: true for all but {@link Deferred}} */
  default boolean mayAcknowledge() {
    return !(this instanceof Deferred);
  }

  /**
   * The handler ran, and its mark is DONE.
   *
   * @param token the fencing token under which it ran; 0 in {@link #FOUND_BY_RESENDING}
   * @param attempt the attempt's number; 0 in {@link #FOUND_BY_RESENDING}
   * @param result what is kept of what the handler returned; may be empty
   */
  record Executed(long token, int attempt, Bytes result) implements Outcome {

    /** Its commit came through although the reply was lost; which token it had is not known. */
    public static final Executed FOUND_BY_RESENDING = new Executed(0, 0);

    /**
     * Without a result.
     *
     * @param token the fencing token under which it ran
     * @param attempt the attempt's number
     */
    public Executed(long token, int attempt) {
      this(token, attempt, Bytes.EMPTY);
    }
  }

  /**
   * The message had taken effect before; the handler did not run.
   *
   * @param result what was kept of what the handler returned then; may be empty
   */
  record Duplicate(Bytes result) implements Outcome {

    /** Without a result. */
    public Duplicate() {
      this(Bytes.EMPTY);
    }
  }

  /**
   * The message was dead-lettered, now or earlier, and that record is acknowledged by its broker.
   *
   * @param reason why, for people
   */
  record DeadLettered(String reason) implements Outcome {}

  /**
   * The {@link ConflictPolicy} said neither to run nor to dead-letter it; it may be acknowledged.
   *
   * @param reason why, for people
   */
  record Dropped(String reason) implements Outcome {}

  /**
   * The message must not be acknowledged; submit it again, in its lane's order, after the delay.
   *
   * @param reason why
   * @param after how long to wait; not negative, and with {@link Reason#BUSY} at most five minutes:
   *     then the store is asked again, which costs no attempt
   * @param detail for people; may be empty
   */
  record Deferred(Reason reason, Duration after, String detail) implements Outcome {

    private static final Duration LONGEST = Duration.ofDays(365);

    /**
     * {@return when the wait ends, in nanoseconds of the monotonic clock}
     *
     * @param nowNanos the time
     */
    public long dueNanos(long nowNanos) {
      Duration wait = after.compareTo(LONGEST) > 0 ? LONGEST : after;
      return nowNanos + Math.max(0, wait.toNanos());
    }

    /** {@return the reason and the detail, for people} */
    public String toText() {
      return reason + (detail.isEmpty() ? "" : ": " + detail);
    }
  }

  /** Why a message was deferred. */
  enum Reason {
    /** Another consumer handles it, or the backoff of an earlier attempt has not passed. */
    BUSY,
    /** Its attempt failed; another follows. */
    RETRY,
    /** Its handler deferred it, which used no attempt. */
    DEFERRED,
    /**
     * A message before it in its lane, or another of its id on its way in this process, was
     * deferred; this one was not started.
     */
    BLOCKED,
    /** The store did not answer. */
    STORE_UNAVAILABLE,
    /** The lease was lost or too short to start. */
    LEASE_LOST,
    /** The dead-letter record could not be published, or there is nowhere to publish it. */
    DEAD_LETTER_FAILED,
    /** It has no usable id, and its receiver is configured to stop there. */
    MISSING_ID,
    /** It has no fingerprint, and its receiver is configured to stop there. */
    MISSING_FINGERPRINT,
    /** Its id is known with another payload; the {@link ConflictPolicy} stops there or threw. */
    CONFLICT,
    /** Hapax threw an unexpected exception, which the log shows. */
    INTERNAL_ERROR,
    /**
     * The submission was abandoned (revoked lane, closing receiver, an adapter's patience) before
     * it was started.
     */
    ABANDONED
  }
}
