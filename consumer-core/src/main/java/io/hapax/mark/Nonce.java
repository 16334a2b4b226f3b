package io.hapax.mark;

/**
 * The name of one claim: unique for each claim, not for each process. A verb that is sent again
 * carries the same nonce, and so gets the same answer; a second delivery of the same message in the
 * same process carries another one, and so cannot mistake the first one's claim for its own.
 *
 * @param high the first 64 bits
 * @param low the last 64 bits
 */
public record Nonce(long high, long low) {

  /** Belongs to no claim. */
  public static final Nonce NONE = new Nonce(0, 0);
}
