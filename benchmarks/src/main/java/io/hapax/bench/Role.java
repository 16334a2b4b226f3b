package io.hapax.bench;

/** Who does it. */
enum Role {
  /** The store. */
  HAPAX,
  /** A round trip, or a commit, for each command of each message. */
  FLOOR,
  /**
   * The server's own commands over the whole batch that move the same bytes, without a protocol.
   */
  LIMIT
}
