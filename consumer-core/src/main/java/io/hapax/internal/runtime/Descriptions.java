package io.hapax.internal.runtime;

/**
 * Describes exceptions of the user's code, whose methods may throw or return null. A description is
 * one line of bounded length, for a log, a mark, a header or health.
 */
public final class Descriptions {

  /** Bounds each of the two parts of a description. */
  private static final int MAX_LENGTH = 480;

  private static final int MAX_CAUSES = 20;

  private Descriptions() {}

  public static String of(Throwable thrown) {
    String text = cut(text(thrown));
    String cause = cut(text(root(thrown)));
    return text.contains(cause) ? text : text + ", caused by " + cause;
  }

  private static String text(Throwable thrown) {
    try {
      String text = thrown.toString();
      return text == null ? thrown.getClass().getName() : inOneLine(text);
    } catch (RuntimeException | Error e) {
      return thrown.getClass().getName();
    }
  }

  /** Removes line breaks, because the next line would look like another log entry. */
  private static String inOneLine(String text) {
    return text.codePoints().anyMatch(Character::isISOControl)
        ? text.replaceAll("\\p{Cntrl}+", " ").strip()
        : text;
  }

  /**
   * Returns a throwable that a logger can print. It is the exception itself if all of it can be
   * read and no text has a control character. Otherwise it is a copy of its stack trace with a text
   * of one line.
   */
  public static Throwable loggable(Throwable thrown) {
    return isPlain(thrown) ? thrown : new Unprintable(thrown);
  }

  public static boolean hasStackTrace(Throwable thrown) {
    try {
      return thrown.getStackTrace().length > 0;
    } catch (RuntimeException | Error e) {
      return false;
    }
  }

  private static boolean isPlain(Throwable thrown) {
    try {
      Throwable next = thrown;
      for (int depth = 0; next != null; depth++) {
        String text = String.valueOf(next.getMessage()) + next.getLocalizedMessage() + next;
        if (depth == MAX_CAUSES
            || text.codePoints().anyMatch(Character::isISOControl)
            || next.getStackTrace() == null) {
          return false;
        }
        next = next.getCause();
      }
      return true;
    } catch (RuntimeException | Error e) {
      return false;
    }
  }

  /** Replaces an exception that a logger cannot print, or whose text has several lines. */
  private static final class Unprintable extends Exception {

    private static final long serialVersionUID = 1L;

    Unprintable(Throwable thrown) {
      super(of(thrown), null, false, true);
      try {
        setStackTrace(thrown.getStackTrace());
      } catch (RuntimeException | Error e) {
        setStackTrace(new StackTraceElement[0]);
      }
    }
  }

  private static Throwable root(Throwable thrown) {
    Throwable root = thrown;
    try {
      for (int depth = 0; depth < MAX_CAUSES && root.getCause() != null; depth++) {
        root = root.getCause();
      }
    } catch (RuntimeException | Error e) {
      return root;
    }
    return root;
  }

  private static String cut(String text) {
    if (text.length() <= MAX_LENGTH) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(MAX_LENGTH - 1)) ? MAX_LENGTH - 1 : MAX_LENGTH;
    return text.substring(0, end);
  }
}
