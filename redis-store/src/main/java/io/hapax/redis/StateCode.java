package io.hapax.redis;

/** The first byte of a mark; {@code prelude.lua} defines the same constants. */
final class StateCode {

  static final byte PROCESSING = 'P';
  static final byte RETRY = 'R';
  static final byte DEAD = 'X';
  static final byte DONE = 'D';

  /** A DONE mark with the fields that {@link #DONE} leaves out. */
  static final byte LONG_DONE = 'L';

  private StateCode() {}
}
