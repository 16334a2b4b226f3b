package io.hapax.mark;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What a store says to a {@link ClaimRequest}. Only {@link Acquired} allows the handler to run. */
public sealed interface ClaimAnswer {

  /** How a claim was acquired. */
  enum Kind {
    /** There was no mark. */
    FRESH,
    /** An earlier attempt failed and its mark was due again. */
    RETRY,
    /** An earlier owner's lease was over. */
    TAKEOVER,
    /** The same claim had been acquired before; its answer was lost. */
    RESENT
  }

  /**
   * The claim is held.
   *
   * @param claim what to show when renewing and settling
   * @param kind how it was acquired
   * @param leaseUntil by the store's clock, the end of the lease
   * @param previous the owner whose lease was over; present for {@link Kind#TAKEOVER} only
   */
  record Acquired(Claim claim, Kind kind, Instant leaseUntil, Optional<Previous> previous)
      implements ClaimAnswer {

    /**
     * Whether an earlier attempt may have taken effect: the claim was taken over, or the mark is in
     * doubt.
     *
     * @return true if this attempt repairs what a vanished or failed one left behind
     */
    public boolean recovered() {
      return kind == Kind.TAKEOVER || claim.attempt().inDoubt();
    }
  }

  /**
   * The owner that vanished.
   *
   * @param owner its name
   * @param token its fencing token
   * @param age how long before the takeover it had claimed
   */
  record Previous(String owner, long token, Duration age) {}

  /**
   * Somebody else handles the message, or it is not due yet. It must not be acknowledged.
   *
   * @param remaining how long until a claim can succeed, by the store's clock; positive
   */
  record Busy(Duration remaining) implements ClaimAnswer {}

  /**
   * The message was claimed before and that claim was lost: the message may kill its process.
   * Nothing was changed. Claim it again {@linkplain ClaimTerms#solo() solo}.
   *
   * @param lost the attempt whose claim was lost, as the mark keeps it. If that claim was
   *     {@linkplain Attempt#solo() solo}, its loss counts as an attempt
   */
  record Suspect(Attempt lost) implements ClaimAnswer {

    /**
     * Returns the number of the attempt that a solo claim starts, if nothing happens to the mark
     * until then.
     *
     * @return the number, from 1
     */
    public int nextAttempt() {
      return lost.nextNumber(true);
    }

    /**
     * Returns whether the message must run while no other suspect of its process runs: its solo
     * claim was lost before, or it is on its last attempt. Otherwise one message that kills its
     * process could cost another message more than one attempt, or its last one.
     *
     * @param maxAttempts the number of attempts after which a message is dead-lettered
     * @return false for a first loss with attempts left: it may run beside others of the same kind
     */
    public boolean runsAlone(int maxAttempts) {
      return lost.solo() || nextAttempt() >= maxAttempts;
    }
  }

  /**
   * The message has taken effect: acknowledge it and do not run it.
   *
   * @param result the result kept with the mark; may be empty
   * @param doneAt by the store's clock, when it was done
   * @param own whether it was done under the nonce of this very request: the request is a resend
   */
  record Done(Bytes result, Instant doneAt, boolean own) implements ClaimAnswer {}

  /**
   * The message was dead-lettered and that record was acknowledged: acknowledge it and do not run
   * it.
   *
   * @param reason why, for people
   */
  record Dead(String reason) implements ClaimAnswer {}

  /**
   * Another payload is known under this id. The message must not be acknowledged silently.
   *
   * @param state the state of the mark that stands there
   */
  record Conflict(MarkState state) implements ClaimAnswer {}

  /**
   * The request came after its {@link ClaimTerms#notAfter()}, or its nonce has been given back
   * before. Nothing was changed; claim again with a new nonce.
   *
   * @param storeTime the store's time
   */
  record TooLate(Instant storeTime) implements ClaimAnswer {}

  /**
   * The part of the store that keeps this mark did not answer; whether the claim was executed is
   * unknown. Send the same request again.
   *
   * @param reason what failed, for people
   */
  record Unavailable(String reason) implements ClaimAnswer {}

  /**
   * One method for each kind of answer, so that a new kind does not compile until everybody has
   * thought of it.
   *
   * @param <R> what is computed
   */
  interface Cases<R> {

    /**
     * For {@link Acquired}.
     *
     * @param answer the answer
     * @return the result
     */
    R acquired(Acquired answer);

    /**
     * For {@link Busy}.
     *
     * @param answer the answer
     * @return the result
     */
    R busy(Busy answer);

    /**
     * For {@link Suspect}.
     *
     * @param answer the answer
     * @return the result
     */
    R suspect(Suspect answer);

    /**
     * For {@link Done}.
     *
     * @param answer the answer
     * @return the result
     */
    R done(Done answer);

    /**
     * For {@link Dead}.
     *
     * @param answer the answer
     * @return the result
     */
    R dead(Dead answer);

    /**
     * For {@link Conflict}.
     *
     * @param answer the answer
     * @return the result
     */
    R conflict(Conflict answer);

    /**
     * For {@link TooLate}.
     *
     * @param answer the answer
     * @return the result
     */
    R tooLate(TooLate answer);

    /**
     * For {@link Unavailable}.
     *
     * @param answer the answer
     * @return the result
     */
    R unavailable(Unavailable answer);
  }

  /**
   * Chooses by kind.
   *
   * @param cases what to do for each kind
   * @param <R> what is computed
   * @return what the chosen method returned
   */
  default <R> R match(Cases<R> cases) {
    if (this instanceof Acquired it) {
      return cases.acquired(it);
    } else if (this instanceof Done it) {
      return cases.done(it);
    } else if (this instanceof Busy it) {
      return cases.busy(it);
    } else if (this instanceof Suspect it) {
      return cases.suspect(it);
    } else if (this instanceof Dead it) {
      return cases.dead(it);
    } else if (this instanceof Conflict it) {
      return cases.conflict(it);
    } else if (this instanceof TooLate it) {
      return cases.tooLate(it);
    }
    return cases.unavailable((Unavailable) this);
  }
}
