package io.hapax.internal;

/**
 * Words for what was thrown and for what is behind it, within bounds, even if the thrown object has
 * none or throws itself.
 */
final class Descriptions {

  /** Of each of the two; a megabyte of text does not belong into a mark, a header or a log. */
  private static final int LONGEST = 480;

  private static final int DEEPEST = 20;

  private Descriptions() {}

  static String of(Throwable thrown) {
    String text = cut(text(thrown));
    String behind = cut(text(root(thrown)));
    return text.contains(behind) ? text : text + ", caused by " + behind;
  }

  private static String text(Throwable thrown) {
    try {
      String text = thrown.toString();
      return text == null ? thrown.getClass().getName() : text;
    } catch (RuntimeException | Error e) {
      return thrown.getClass().getName();
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
