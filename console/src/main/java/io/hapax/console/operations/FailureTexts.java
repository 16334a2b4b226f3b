package io.hapax.console.operations;

import io.hapax.operations.internal.ReportText;
import java.util.LinkedHashSet;
import java.util.Set;

/** Formats exceptions for an operator. */
public final class FailureTexts {

  private FailureTexts() {}

  /** {@return the messages of an exception and of its causes, in one line} */
  public static String text(Throwable problem) {
    Set<String> reasons = new LinkedHashSet<>();
    for (Throwable cause = problem; cause != null; cause = cause.getCause()) {
      reasons.add(reason(cause));
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
