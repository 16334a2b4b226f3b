package io.hapax.mark;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/** A store's answer to a {@link ClaimRequest}. Only {@link Acquired} allows the handler to run. */
public sealed interface ClaimAnswer {

  /** How a claim was acquired. */
  enum Kind {
    /** There was no mark. */
    FRESH,
    /** An earlier attempt failed and its mark was due again. */
    RETRY,
    /** An earlier owner's lease had expired. */
    TAKEOVER,
    /** The same claim had been acquired before, and its answer was lost. */
    RESENT
  }

  /**
   * The claim was acquired.
   *
   * @param claim the claim, with which to renew and settle
   * @param kind how it was acquired
   * @param leaseUntil the end of the lease, by the store's clock
   * @param previous the owner whose lease had expired; present for {@link Kind#TAKEOVER} only
   */
  record Acquired(Claim claim, Kind kind, Instant leaseUntil, Optional<Previous> previous)
      implements ClaimAnswer {

    /** {@return whether an earlier attempt may have taken effect: takeover, or in doubt} */
    public boolean recovered() {
      return kind == Kind.TAKEOVER || claim.attempt().inDoubt();
    }
  }

  /**
   * The owner whose lease had expired.
   *
   * @param owner its name
   * @param token its fencing token
   * @param age the time from its claim to the takeover
   */
  record Previous(String owner, long token, Duration age) {}

  /**
   * Another owner handles the message, or the message is not due. It must not be acknowledged.
   *
   * @param remaining the time until a claim can succeed, by the store's clock; positive
   */
  record Busy(Duration remaining) implements ClaimAnswer {}

  /**
   * The message was claimed before, and that claim was lost: the message may kill its process.
   * Nothing was changed. Claim it again {@linkplain ClaimTerms#solo() solo}.
   *
   * @param lost the attempt whose claim was lost, as the mark holds it. If that claim was
   *     {@linkplain Attempt#solo() solo}, its loss counts as an attempt
   */
  record Suspect(Attempt lost) implements ClaimAnswer {

    /**
     * {@return the number, from 1, of the attempt that a solo claim of this mark starts, if the
     * mark does not change until then}
     */
    public int nextAttempt() {
      return lost.nextNumber(true);
    }

    /**
     * {@return whether the message must run while no other suspect of its process runs: its solo
     * claim was lost before, or this is its last attempt} Otherwise one message that kills its
     * process could cost another message more than one attempt, or its last one.
     *
     * @param maxAttempts the number of attempts after which a message is dead-lettered
     */
    public boolean runsAlone(int maxAttempts) {
      return lost.solo() || nextAttempt() >= maxAttempts;
    }
  }

  /**
   * The message has taken effect: acknowledge it and do not run it.
   *
   * @param result the result in the mark; may be empty
   * @param doneAt when it was done, by the store's clock
   * @param own whether it was done under the nonce of this request: the request is a resend
   */
  record Done(Bytes result, Instant doneAt, boolean own) implements ClaimAnswer {}

  /**
   * The message was dead-lettered and that record acknowledged: acknowledge it and do not run it.
   *
   * @param reason why, for people
   */
  record Dead(String reason) implements ClaimAnswer {}

  /**
   * Another payload is known under this id. The message must not be acknowledged silently.
   *
   * @param state the state of the mark
   */
  record Conflict(MarkState state) implements ClaimAnswer {}

  /**
   * The request came after its {@link ClaimTerms#notAfter()}, or the claim with its nonce was given
   * back before. Nothing was changed; claim again with a new nonce.
   *
   * @param storeTime the store's time
   */
  record TooLate(Instant storeTime) implements ClaimAnswer {}

  /**
   * The part of the store that holds this mark did not answer; whether the claim was executed is
   * unknown. Send the same request again.
   *
   * @param reason what failed, for people
   */
  record Unavailable(String reason) implements ClaimAnswer {}

  /**
   * {@return the result of the function for the kind of this answer}
   *
   * @param acquired for {@link Acquired}
   * @param busy for {@link Busy}
   * @param suspect for {@link Suspect}
   * @param done for {@link Done}
   * @param dead for {@link Dead}
   * @param conflict for {@link Conflict}
   * @param tooLate for {@link TooLate}
   * @param unavailable for {@link Unavailable}
   * @param <R> the type of the result
   */
  default <R> R match(
      Function<? super Acquired, ? extends R> acquired,
      Function<? super Busy, ? extends R> busy,
      Function<? super Suspect, ? extends R> suspect,
      Function<? super Done, ? extends R> done,
      Function<? super Dead, ? extends R> dead,
      Function<? super Conflict, ? extends R> conflict,
      Function<? super TooLate, ? extends R> tooLate,
      Function<? super Unavailable, ? extends R> unavailable) {
    if (this instanceof Acquired it) {
      return acquired.apply(it);
    } else if (this instanceof Busy it) {
      return busy.apply(it);
    } else if (this instanceof Suspect it) {
      return suspect.apply(it);
    } else if (this instanceof Done it) {
      return done.apply(it);
    } else if (this instanceof Dead it) {
      return dead.apply(it);
    } else if (this instanceof Conflict it) {
      return conflict.apply(it);
    } else if (this instanceof TooLate it) {
      return tooLate.apply(it);
    }
    return unavailable.apply((Unavailable) this);
  }
}
