package io.hapax.internal.run;

import io.hapax.mark.ClaimAnswer;
import java.util.List;

/** Thrown out of a transaction to roll it back, because it acquired what must not run now. */
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
