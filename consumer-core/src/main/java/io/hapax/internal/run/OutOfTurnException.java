package io.hapax.internal.run;

import io.hapax.mark.ClaimAnswer;
import java.util.List;

/** Rolls back a transaction that has acquired a message that must not run now. */
final class OutOfTurnException extends Exception {

  private static final long serialVersionUID = 1L;
  private final transient List<ClaimAnswer> answers;

  OutOfTurnException(List<ClaimAnswer> answers) {
    super("a lane stops before an acquired message", null, false, false);
    this.answers = answers;
  }

  List<ClaimAnswer> answers() {
    return answers;
  }
}
