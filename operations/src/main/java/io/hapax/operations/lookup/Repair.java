package io.hapax.operations.lookup;

import java.util.Locale;

/** What an operator can do with a message. */
public enum Repair {
  /** Lets the message run at its next delivery. */
  REOPEN,
  /** The same for any payload: the first message with the id runs. */
  REOPEN_ANY_PAYLOAD,
  /** Sets the mark to DONE: the message took effect. */
  DONE,
  /** Erases the result of a DONE mark. */
  FORGET,
  /** Publishes the message of an open mark again. */
  REDELIVER,
  /** Publishes the message of an open mark to the dead-letter topic. */
  DEAD_LETTER,
  /** Publishes the message of a dead-letter record to its topic. */
  REDRIVE;

  /** {@return the name in addresses and reports: lower-case words with hyphens} */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
