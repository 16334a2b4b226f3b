package io.hapax.mark;

/**
 * The name of one claim, unique for each claim, not for each process. A verb that is sent again
 * carries the same nonce and gets the same answer. A second delivery of the same message in the
 * same process carries another nonce, so that the two claims are not confused.
 *
 * @param high the first 64 bits
 * @param low the last 64 bits
 */
public record Nonce(long high, long low) {

  /** The nonce of no claim. */
  public static final Nonce NONE = new Nonce(0, 0);
}
