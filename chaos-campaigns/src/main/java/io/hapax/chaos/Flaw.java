package io.hapax.chaos;

import io.hapax.DeadLetter;
import java.util.Optional;

/** A defect of a message, which decides how the message must end. */
enum Flaw {
  /** No defect: the order takes effect. */
  NONE,
  /**
   * The shop does not have the article. The handler writes to the ledger and then fails, in each
   * attempt.
   */
  UNKNOWN_ARTICLE,
  /** The payload is cut in the middle: no order can be read from it. */
  TORN,
  /** The message carries no id. */
  NO_ID;

  /** Returns the kind of the dead-letter record; empty if the order takes effect. */
  Optional<DeadLetter.Kind> end() {
    return switch (this) {
      case NONE -> Optional.empty();
      case UNKNOWN_ARTICLE -> Optional.of(DeadLetter.Kind.ATTEMPTS_EXHAUSTED);
      case TORN -> Optional.of(DeadLetter.Kind.NOT_RETRYABLE);
      case NO_ID -> Optional.of(DeadLetter.Kind.MISSING_ID);
    };
  }
}
