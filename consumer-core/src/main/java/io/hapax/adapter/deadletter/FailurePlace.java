package io.hapax.adapter.deadletter;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the method of the application in which an attempt failed. */
final class FailurePlace {

  /** Frames of Hapax between its engine and a handler, also through Spring. */
  private static final List<String> HAPAX = List.of(
      "io.hapax.internal.",
      "io.hapax.spring.",
      "io.hapax.LoggingContext",
      "io.hapax.TransactionalHandler",
      "io.hapax.metrics.ObservedHandlers");

  /** Frames that may be between Hapax and the application. */
  private static final List<String> BETWEEN =
      List.of("java.", "javax.", "jdk.", "sun.", "com.sun.", "org.springframework.");

  private static final int MOST_CAUSES = 20;

  private FailurePlace() {}

  /**
   * {@return the innermost method in a package of the application, for example
   * {@code com.shop.Billing.charge}; empty if there is no such method, or if a method of the error
   * throws} The package is that of the outermost method that Hapax has called, up to two names. Of
   * the error and its causes the innermost one counts that was thrown below Hapax: a cause may come
   * from another thread.
   */
  static String of(Throwable error) {
    try {
      Deque<Throwable> innermostFirst = new ArrayDeque<>();
      @Nullable Throwable next = error;
      for (int i = 0; i < MOST_CAUSES && next != null; i++) {
        innermostFirst.addFirst(next);
        next = next.getCause();
      }
      return innermostFirst.stream()
          .map(Throwable::getStackTrace)
          .map(FailurePlace::of)
          .filter(place -> !place.isEmpty())
          .findFirst()
          .orElse("");
    } catch (RuntimeException | Error e) {
      return ""; // the methods are those of the user's code
    }
  }

  private static String of(StackTraceElement[] trace) {
    List<StackTraceElement> called =
        Arrays.stream(trace).takeWhile(frame -> !isIn(frame, HAPAX)).toList();
    List<StackTraceElement> own =
        called.stream().filter(frame -> !isIn(frame, BETWEEN)).toList();
    if (called.size() == trace.length || own.isEmpty()) {
      return "";
    }
    String application = packageOf(own.get(own.size() - 1).getClassName());
    return own.stream()
        .filter(frame -> frame.getClassName().startsWith(application))
        .findFirst()
        .map(frame -> frame.getClassName() + "." + frame.getMethodName())
        .orElse("");
  }

  private static boolean isIn(StackTraceElement frame, List<String> packages) {
    return packages.stream().anyMatch(frame.getClassName()::startsWith);
  }

  /** Returns at most two names of a package with their dots, or a class without a package. */
  private static String packageOf(String className) {
    int first = className.indexOf('.');
    int second = className.indexOf('.', first + 1);
    return first < 0 ? className : className.substring(0, (second < 0 ? first : second) + 1);
  }
}
