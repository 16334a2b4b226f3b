package io.hapax.mark;

/**
 * The owner of a mark, and where its message lies in the broker, for people and for recovery. An
 * open or DEAD mark has it; a DONE mark does not, to stay small.
 *
 * @param owner the receiver that claimed, for example {@code host-17/orders}; at most
 *     {@value #MAX_LENGTH} characters
 * @param coordinates where the message can be fetched again, for example {@code orders-3@1507}; at
 *     most {@value #MAX_LENGTH} characters
 */
public record Origin(String owner, String coordinates) {

  /** The longest owner and the longest coordinates, in characters. */
  public static final int MAX_LENGTH = 500;

  /** Unknown. */
  public static final Origin NONE = new Origin("", "");

  /**
   * Checks the rules above.
   *
   * @param owner not too long
   * @param coordinates not too long
   */
  public Origin {
    if (owner.length() > MAX_LENGTH || coordinates.length() > MAX_LENGTH) {
      throw new IllegalArgumentException("owner has " + owner.length() + " and coordinates have "
          + coordinates.length() + " characters but neither may have more than " + MAX_LENGTH);
    }
  }
}
