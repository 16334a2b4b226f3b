package io.hapax.mark;

import java.nio.ByteBuffer;

/**
 * The count of a message's attempts and what is known of the current one.
 *
 * @param number the attempt's number, from 1; 0 only on a mark whose attempts were all given back,
 *     or were forgotten because the mark was reopened or lost
 * @param solo whether the claim was {@linkplain ClaimTerms#solo() solo}: losing it counts as an
 *     attempt
 * @param external whether the handler may act outside the store's own transaction, so that losing
 *     the claim leaves its effect in doubt
 * @param inDoubt whether it is unknown if an earlier attempt took effect
 * @param deferredSince the fencing token of the first claim that the handler deferred: the store's
 *     time of that claim in epoch microseconds; 0 if no claim was deferred. It lives as long as the
 *     mark is PROCESSING or RETRY, and is forgotten when the mark is reopened or lost
 */
public record Attempt(
    int number, boolean solo, boolean external, boolean inDoubt, long deferredSince) {

  /**
   * Checks the rules above.
   *
   * @param number not negative
   * @param solo whether claimed alone
   * @param external whether it may act outside
   * @param inDoubt whether in doubt
   * @param deferredSince not negative
   */
  public Attempt {
    if (number < 0) {
      throw new IllegalArgumentException(
          "attempt number is " + number + " but must not be negative");
    }
    if (deferredSince < 0) {
      throw new IllegalArgumentException(
          "deferredSince is " + deferredSince + " but must not be negative");
    }
  }

  /**
   * Makes an attempt at a message that was never deferred.
   *
   * @param number not negative
   * @param solo whether claimed alone
   * @param external whether it may act outside
   * @param inDoubt whether in doubt
   */
  public Attempt(int number, boolean solo, boolean external, boolean inDoubt) {
    this(number, solo, external, inDoubt, 0);
  }

  /**
   * {@return the form in which a store keeps {@link #deferredSince()}, as the detail of a mark that
   * is PROCESSING or RETRY, which has no other: eight bytes, the most significant first; empty if
   * the message was never deferred}
   */
  public Bytes deferral() {
    return deferredSince == 0
        ? Bytes.EMPTY
        : Bytes.of(ByteBuffer.allocate(Long.BYTES).putLong(deferredSince).array());
  }

  /**
   * {@return this attempt as it was stored, with what {@link #deferral()} gave}
   *
   * @param stored the detail of a mark that is PROCESSING or RETRY; empty if it was never deferred
   */
  public Attempt withDeferral(Bytes stored) {
    return stored.length() == Long.BYTES
        ? deferredSince(ByteBuffer.wrap(stored.unsafeArray()).getLong())
        : this;
  }

  private Attempt deferredSince(long token) {
    return new Attempt(number, solo, external, inDoubt, token);
  }

  /** Returns the number of the next attempt. A lost claim that was not solo costs none. */
  int nextNumber(boolean takeover) {
    return takeover && !solo ? Math.max(1, number) : number + 1;
  }

  Attempt settledFor(Verdict.Retry retry) {
    return new Attempt(number, false, external, inDoubt || retry.inDoubt(), deferredSince);
  }

  Attempt givenBack() {
    return new Attempt(Math.max(0, number - 1), false, external, inDoubt, deferredSince);
  }

  Attempt doubtful() {
    return new Attempt(number, solo, external, true, deferredSince);
  }

  /** Gives the attempt back, and keeps which claim was deferred first. */
  Attempt deferred(long token) {
    return givenBack().deferredSince(deferredSince == 0 ? token : deferredSince);
  }

  /** By the owner of a mark that was lost: its count went with it. */
  Attempt writtenAnew() {
    return new Attempt(0, solo, external, inDoubt);
  }

  Attempt reopened() {
    return new Attempt(0, false, external, false);
  }

  /** The attempt of a mark that is DEAD: its detail holds the reason. */
  Attempt dead() {
    return deferredSince(0);
  }
}
