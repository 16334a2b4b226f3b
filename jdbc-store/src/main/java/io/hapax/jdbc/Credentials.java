package io.hapax.jdbc;

import java.sql.SQLException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Removes possible passwords from messages. Drivers quote the URL ({@code No suitable driver found
 * for ..}), and a URL may contain a password.
 */
final class Credentials {

  private static final String CUT = "***";

  /** A URL with a user; all after the scheme is removed, because a password may contain an @. */
  private static final Pattern WITH_USER = Pattern.compile("(?si)(jdbc:[a-z0-9:+]*:).*@.*");

  /** A query, parameters, or MySQL's {@code (host=..,password=..)}. */
  private static final Pattern WITH_PARAMETERS = Pattern.compile("(?si)(jdbc:[^?;(]*[?;(]).*");

  /** A part of a URL, as a parser quotes it in an error. */
  private static final Pattern PARAMETER =
      Pattern.compile("(?si)(passw[a-z_]*|pwd|secret)(['\"]?\\s*=).*");

  /**
   * A user with a password before a host, for example in a wrong port of a URL. A user in quotes
   * comes from the server and stays. The search starts at the beginning of words only, because it
   * takes minutes in a long text otherwise.
   */
  private static final Pattern USER =
      Pattern.compile("(?<![^\\s/'\"])[^\\s/'\"][^\\s/'\"@]*+@\\S*");

  private Credentials() {}

  /** Returns the text without possible passwords. */
  static String cutFrom(String text) {
    String safe = WITH_USER.matcher(text).replaceFirst("$1" + CUT);
    safe = WITH_PARAMETERS.matcher(safe).replaceFirst("$1" + CUT);
    safe = PARAMETER.matcher(safe).replaceFirst("$1$2" + CUT);
    return USER.matcher(safe).replaceAll(Matcher.quoteReplacement(CUT + "@" + CUT));
  }

  /**
   * Returns the failure itself if neither it nor its causes and suppressed exceptions contain a
   * password. Otherwise returns a copy without passwords, with the same code and stack trace.
   */
  static Throwable cutFrom(Throwable failure) {
    return containsPassword(failure, Collections.newSetFromMap(new IdentityHashMap<>()))
        ? copy(failure, Collections.newSetFromMap(new IdentityHashMap<>()))
        : failure;
  }

  private static boolean containsPassword(@Nullable Throwable failure, Set<Throwable> seen) {
    if (failure == null || !seen.add(failure)) {
      return false;
    }
    String text = failure.toString();
    return !cutFrom(text).equals(text)
        || containsPassword(failure.getCause(), seen)
        || Stream.of(failure.getSuppressed()).anyMatch(each -> containsPassword(each, seen));
  }

  private static Throwable copy(Throwable failure, Set<Throwable> seen) {
    seen.add(failure);
    SQLException safe = failure instanceof SQLException sql
        ? new SQLException(cutFrom(sql.toString()), sql.getSQLState(), sql.getErrorCode())
        : new SQLException(cutFrom(failure.toString()));
    safe.setStackTrace(failure.getStackTrace());
    @Nullable Throwable cause = failure.getCause();
    if (cause != null && !seen.contains(cause)) {
      safe.initCause(copy(cause, seen));
    }
    for (Throwable suppressed : failure.getSuppressed()) {
      if (!seen.contains(suppressed)) {
        safe.addSuppressed(copy(suppressed, seen));
      }
    }
    return safe;
  }
}
