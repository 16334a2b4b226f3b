package io.hapax.mark;

/**
 * The count of a message's attempts and what is known of the current one.
 *
 * @param number the attempt's number, from 1; 0 only on a mark whose attempts were all given back,
 *     or were forgotten because it was reopened or lost
 * @param solo whether the claim was {@linkplain ClaimTerms#solo() solo}, so that losing it counts
 *     as an attempt
 * @param external whether the handler may act outside the store's own transaction, so that losing
 *     the claim leaves its effect in doubt
 * @param inDoubt whether nobody knows if an earlier attempt took effect
 */
public record Attempt(int number, boolean solo, boolean external, boolean inDoubt) {

  /**
   * Checks the rules above.
   *
   * @param number not negative
   * @param solo whether claimed alone
   * @param external whether it may act outside
   * @param inDoubt whether in doubt
   */
  public Attempt {
    if (number < 0) {
      throw new IllegalArgumentException(
          "attempt number is " + number + " but must not be negative");
    }
  }

  /** Returns the number of the next attempt. A lost claim that was not solo costs none. */
  int nextNumber(boolean takeover) {
    return takeover && !solo ? Math.max(1, number) : number + 1;
  }

  Attempt settledFor(Verdict.Retry retry) {
    return new Attempt(number, false, external, inDoubt || retry.inDoubt());
  }

  Attempt givenBack() {
    return new Attempt(Math.max(0, number - 1), false, external, inDoubt);
  }

  /** By the owner of a mark that was lost: its count went with it. */
  Attempt writtenAnew() {
    return new Attempt(0, solo, external, inDoubt);
  }

  Attempt reopened() {
    return new Attempt(0, false, external, false);
  }
}
