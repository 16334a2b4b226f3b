package io.hapax.bench;

/** The performer of an operation. */
enum Role {
  /** The store. */
  HAPAX,
  /** One round trip or commit for each command of each message. */
  FLOOR,
  /**
   * The server's own commands over the whole batch. They move the same bytes without a protocol.
   */
  LIMIT
}
