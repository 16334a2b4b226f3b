package io.hapax.redis;

/**
 * The codes of the answers that scripts return, one for each item. {@code prelude.lua} defines
 * {@link #USUAL} and {@link #MARK_LOST}, {@code claim.lua} the others, under the same names.
 */
final class AnswerCode {

  /**
   * The answer to nearly every item: the claim is fresh, renewed or settled, or the mark exists. A
   * script may omit all codes if every item has this one.
   */
  static final byte USUAL = '1';

  /** The mark was lost; the lease is renewed or the claim settled nevertheless. */
  static final byte MARK_LOST = '2';

  static final byte DUE_RETRY = 'A';
  static final byte TAKEN_OVER = 'T';
  static final byte RESENT = 'S';
  static final byte BUSY = 'B';
  static final byte SUSPECT = 'U';
  static final byte ALREADY_DONE = 'D';
  static final byte OWN_DONE = 'O';
  static final byte SHORT_DONE = 'd';
  static final byte OWN_SHORT_DONE = 'o';
  static final byte ALREADY_DEAD = 'X';
  static final byte CONFLICT = 'C';
  static final byte TOO_LATE = 'L';

  private AnswerCode() {}
}
