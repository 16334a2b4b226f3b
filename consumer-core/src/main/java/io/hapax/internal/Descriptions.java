package io.hapax.internal;

/** Words for what was thrown, even if the thrown object has none or throws itself. */
final class Descriptions {

  private Descriptions() {}

  static String of(Throwable thrown) {
    try {
      String text = thrown.toString();
      return text == null ? thrown.getClass().getName() : text;
    } catch (RuntimeException | Error e) {
      return thrown.getClass().getName();
    }
  }
}
