package io.hapax.internal.runtime;

/**
 * Reads exceptions of the user's code, whose methods may throw or return null: their text for a
 * log, a mark, a header or health, in one line and within bounds.
 */
public final class Descriptions {

  /** Of each of the two; a megabyte of text does not belong into a mark, a header or a log. */
  private static final int LONGEST = 480;

  private static final int DEEPEST = 20;

  private Descriptions() {}

  public static String of(Throwable thrown) {
    String text = cut(text(thrown));
    String behind = cut(text(root(thrown)));
    return text.contains(behind) ? text : text + ", caused by " + behind;
  }

  private static String text(Throwable thrown) {
    try {
      String text = thrown.toString();
      return text == null ? thrown.getClass().getName() : inOneLine(text);
    } catch (RuntimeException | Error e) {
      return thrown.getClass().getName();
    }
  }

  /** A line break in a text of somebody else's would look like an entry of the log's own. */
  private static String inOneLine(String text) {
    return text.codePoints().anyMatch(Character::isISOControl)
        ? text.replaceAll("\\p{Cntrl}+", " ").strip()
        : text;
  }

  /**
   * Returns what a logger can print: the exception itself if all of it can be read and no text in
   * it has a control character, else its stack trace under a text of one line.
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
        if (depth == DEEPEST
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

  /** Stands for an exception that a logger cannot print, or not in lines of its own. */
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
      for (int depth = 0; depth < DEEPEST && root.getCause() != null; depth++) {
        root = root.getCause();
      }
    } catch (RuntimeException | Error e) {
      return root;
    }
    return root;
  }

  private static String cut(String text) {
    if (text.length() <= LONGEST) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
    return text.substring(0, end);
  }
}
