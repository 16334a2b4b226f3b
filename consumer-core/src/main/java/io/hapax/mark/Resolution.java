package io.hapax.mark;

/**
 * An operator's change of a mark. A store makes it only if the mark still has the token and the
 * state that the operator saw. The mark gets a greater token, which fences every earlier owner. A
 * resolution acknowledges nothing: it takes effect at the next delivery of the message.
 *
 * @param kind the change
 * @param forced whether a lease that has not expired is broken. The handler of a living owner is
 *     not stopped. Then {@link Kind#REOPEN} and {@link Kind#REOPEN_ANY_PAYLOAD} may run the effect
 *     twice, even at the same time. {@link Kind#FORCE_DONE} counts an effect as done that may still
 *     fail. Stop the owner first. Force is for leases that the store wrote while its clock was
 *     ahead, and which would end in hours or days
 */
public record Resolution(Kind kind, boolean forced) {

  /** {@link Kind#REOPEN}, unless a lease is alive. */
  public static final Resolution REOPEN = new Resolution(Kind.REOPEN, false);

  /** {@link Kind#FORCE_DONE}, unless a lease is alive. */
  public static final Resolution FORCE_DONE = new Resolution(Kind.FORCE_DONE, false);

  /** {@link Kind#REOPEN_ANY_PAYLOAD}, unless a lease is alive. */
  public static final Resolution REOPEN_ANY_PAYLOAD =
      new Resolution(Kind.REOPEN_ANY_PAYLOAD, false);

  /** {@link Kind#DONE_ANY_PAYLOAD}. */
  public static final Resolution DONE_ANY_PAYLOAD = new Resolution(Kind.DONE_ANY_PAYLOAD, false);

  /** {@link Kind#FORGET}. */
  public static final Resolution FORGET = new Resolution(Kind.FORGET, false);

  /** How the mark is changed. */
  public enum Kind {
    /**
     * Lets the message run again: RETRY, due at once, without attempts, not in doubt. The
     * fingerprint stays: another payload under the id is still a conflict.
     */
    REOPEN,
    /** Marks a message DONE that is known to have taken effect. Does not change a DONE mark. */
    FORCE_DONE,
    /**
     * Does what {@link #REOPEN} does, and removes the fingerprint: the next message that is
     * delivered under the id runs, whatever its payload, and later messages are compared with its
     * payload. For an id that another payload took first. An effect under a DONE mark is repeated.
     */
    REOPEN_ANY_PAYLOAD,
    /**
     * Keeps a DONE mark and its result, and removes the fingerprint: every message under the id is
     * acknowledged as a duplicate <em>without running</em>, whatever its payload. For a message
     * that took effect before its fingerprint function was changed. If another payload took the id
     * first, this loses the genuine message: use {@link #REOPEN_ANY_PAYLOAD} instead. The retention
     * of the mark begins again. Changes only a DONE mark.
     */
    DONE_ANY_PAYLOAD,
    /**
     * Keeps a DONE mark, and erases the result of its handler. A DONE mark has no readable id and
     * no owner, so that only a hash of the id, the fingerprint, and times are left. The message
     * stays a duplicate, which gets an empty result from now on. The retention of the mark begins
     * again. Changes only a DONE mark with a result: open and dead marks need their id and owner.
     */
    FORGET;

    /** Returns whether the fingerprint is removed. */
    boolean takesAnyPayload() {
      return this == REOPEN_ANY_PAYLOAD || this == DONE_ANY_PAYLOAD;
    }
  }

  /** {@return the same resolution, forced: it also breaks a lease that has not expired} */
  public Resolution force() {
    return new Resolution(kind, true);
  }
}
