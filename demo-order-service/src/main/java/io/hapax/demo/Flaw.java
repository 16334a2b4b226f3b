package io.hapax.demo;

import io.hapax.DeadLetter;
import java.util.Optional;

/** What is wrong with a message, and so how it has to end. */
enum Flaw {
  /** Nothing: its order takes effect. */
  NONE,
  /**
   * It orders an article that the shop does not have: its handler fails after it has written to the
   * ledger, in each attempt.
   */
  UNKNOWN_ARTICLE,
  /** It is torn off in the middle: no order can be read from it. */
  TORN,
  /** It carries no id. */
  NO_ID;

  /** As what it is dead-lettered; empty if it is not. */
  Optional<DeadLetter.Kind> end() {
    return switch (this) {
      case NONE -> Optional.empty();
      case UNKNOWN_ARTICLE -> Optional.of(DeadLetter.Kind.ATTEMPTS_EXHAUSTED);
      case TORN -> Optional.of(DeadLetter.Kind.NOT_RETRYABLE);
      case NO_ID -> Optional.of(DeadLetter.Kind.MISSING_ID);
    };
  }
}
