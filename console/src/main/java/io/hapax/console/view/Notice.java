package io.hapax.console.view;

/**
 * A message about the last action, or a note above a page.
 *
 * @param key the key of its text
 * @param detail a further text from a server or a store; may be empty
 */
public record Notice(Level level, String key, String detail) {

  /** The style of a notice. */
  public enum Level {
    /** A success. */
    GOOD,
    /** Information. */
    NOTE,
    /** A refusal, or a warning. */
    BAD
  }
}
