package io.hapax.console.operations;

import io.hapax.mark.Resolution;

/** Describes decisions on a mark. */
public final class ResolutionText {

  private ResolutionText() {}

  /**
   * Returns the effect of a decision, as the words after "was" or "would be".
   *
   * @param kind the decision
   * @return the effect
   */
  public static String of(Resolution.Kind kind) {
    return switch (kind) {
      case REOPEN -> "reopened: the message runs when it is delivered";
      case FORCE_DONE -> "marked as done: the message does not run";
      case REOPEN_ANY_PAYLOAD -> "reopened for any payload: the first message with its id runs";
      case FORGET -> "forgotten: the result is erased, and the message stays done";
      case DONE_ANY_PAYLOAD -> "kept as done for any payload: no message with its id runs";
    };
  }
}
