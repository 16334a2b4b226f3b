package io.hapax.console.operations;

import io.hapax.operations.internal.ReportText;
import java.util.ArrayList;
import java.util.List;

/** Formats exceptions for an operator. */
public final class FailureTexts {

  private FailureTexts() {}

  /** {@return the messages of an exception and of its causes, in one line} */
  public static String text(Throwable problem) {
    List<String> reasons = new ArrayList<>();
    for (Throwable cause = problem; cause != null; cause = cause.getCause()) {
      String reason = reason(cause);
      if (reasons.stream().noneMatch(it -> it.contains(reason))) { // most repeat their cause
        reasons.add(reason);
      }
    }
    return ReportText.sanitize(String.join(": ", reasons));
  }

  private static String reason(Throwable cause) {
    String message = cause.getMessage();
    return message == null || message.isBlank()
        ? cause.getClass().getSimpleName()
        : message.strip();
  }
}
