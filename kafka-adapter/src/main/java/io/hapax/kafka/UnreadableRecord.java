package io.hapax.kafka;

/**
 * Reads an exception of a user's deserializer, whose text may repeat the record and whose methods
 * may throw. In the log a line break in that text would look like an entry of its own.
 */
final class UnreadableRecord extends Exception {

  private static final long serialVersionUID = 1L;
  private static final int LONGEST = 480;

  private UnreadableRecord(String text, StackTraceElement[] trace) {
    super(text, null, false, true);
    setStackTrace(trace);
  }

  /** Returns the stack trace of the deserializer under a text of one line. */
  static Exception loggable(RuntimeException failure) {
    Throwable thrown = failure.getCause() == null ? failure : failure.getCause();
    try {
      String text = String.valueOf(thrown).replaceAll("\\p{Cntrl}+", " ");
      return new UnreadableRecord(
          text.substring(0, Math.min(text.length(), LONGEST)), thrown.getStackTrace());
    } catch (RuntimeException | Error e) {
      return new UnreadableRecord(thrown.getClass().getName(), new StackTraceElement[0]);
    }
  }
}
