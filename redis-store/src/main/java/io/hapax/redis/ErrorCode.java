package io.hapax.redis;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the code of an error reply. Redis 6.2 answers {@code ERR Error running script ..} to a
 * failed script, whichever command failed in it; the code of that command follows in the text.
 */
final class ErrorCode {

  private static final Pattern IN_SCRIPT = Pattern.compile("ERR Error running script .*: -(\\S+) ");

  private ErrorCode() {}

  /** Returns the code, for example {@code READONLY}; any other text if it is no reply. */
  static String of(Throwable cause) {
    String reply = String.valueOf(cause.getMessage());
    Matcher script = IN_SCRIPT.matcher(reply);
    return script.lookingAt() ? script.group(1) : reply.split(" ", 2)[0];
  }
}
