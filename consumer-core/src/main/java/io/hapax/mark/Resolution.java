package io.hapax.mark;

/**
 * An operator's decision on a mark. A store carries it out only while the mark's token and state
 * are those that the operator saw, and gives the mark a greater token, which fences every earlier
 * owner. A decision acknowledges nothing: it takes effect at the next delivery of the message.
 *
 * @param kind what becomes of the mark
 * @param forced whether a lease that has not expired is broken. If its owner is alive, its handler
 *     is not stopped: {@link Kind#REOPEN} and {@link Kind#REOPEN_ANY_PAYLOAD} may then run the
 *     effect twice, at the same time too, and {@link Kind#FORCE_DONE} counts an effect as done that
 *     may still fail. Stop the owner first. Force is for leases that the store wrote while its
 *     clock was ahead, which end in hours or days.
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

  /** What becomes of the mark. */
  public enum Kind {
    /**
     * Lets the message run again: RETRY, due at once, attempts and doubt cleared. The fingerprint
     * stays: another payload under the id is still a conflict.
     */
    REOPEN,
    /** The message is known to have taken effect: DONE without running it. Not for a DONE mark. */
    FORCE_DONE,
    /**
     * As {@link #REOPEN}, and forgets the fingerprint: the next message that is delivered under the
     * id runs, whatever its payload, and from then on its payload counts. For an id that another
     * payload took first. If the mark was DONE, an effect under this id is repeated.
     */
    REOPEN_ANY_PAYLOAD,
    /**
     * Keeps a DONE mark and its result, and forgets the fingerprint: every message under the id is
     * acknowledged as a duplicate <em>without running</em>, whatever its payload. For a message
     * that took effect before its fingerprint function was changed. If another payload took the id
     * first, this loses the genuine message: take {@link #REOPEN_ANY_PAYLOAD}. The retention of the
     * mark begins again. Changes no mark that is not DONE.
     */
    DONE_ANY_PAYLOAD;

    /** Whether the fingerprint is forgotten. */
    boolean takesAnyPayload() {
      return this == REOPEN_ANY_PAYLOAD || this == DONE_ANY_PAYLOAD;
    }
  }

  /**
   * Returns the same decision, forced: it also breaks a lease that has not expired.
   *
   * @return the decision, forced
   */
  public Resolution force() {
    return new Resolution(kind, true);
  }
}
