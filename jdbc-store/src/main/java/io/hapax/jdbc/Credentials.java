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
 * Cuts out of what a driver says whatever may be a password. Drivers quote the URL that they were
 * given ({@code No suitable driver found for ..}), and a URL may hold one.
 */
final class Credentials {

  private static final String CUT = "***";

  /** Everything after the scheme: nobody can tell where a password that holds an @ begins. */
  private static final Pattern WITH_USER = Pattern.compile("(?si)(jdbc:[a-z0-9:+]*:).*@.*");

  /** A query, parameters, or MySQL's {@code (host=..,password=..)}. */
  private static final Pattern WITH_PARAMETERS = Pattern.compile("(?si)(jdbc:[^?;(]*[?;(]).*");

  /** A part of a URL, as a parser quotes it that stumbled there. */
  private static final Pattern PARAMETER =
      Pattern.compile("(?si)(passw[a-z_]*|pwd|secret)(['\"]?\\s*=).*");

  /**
   * What MariaDB's driver takes for a port, for one. A user in quotes is the server's word. Looked
   * for from where a word begins only: from everywhere it takes minutes in a text that is long.
   */
  private static final Pattern USER =
      Pattern.compile("(?<![^\\s/'\"])[^\\s/'\"][^\\s/'\"@]*+@\\S*");

  private Credentials() {}

  /** The text without what may be a password. */
  static String cutFrom(String text) {
    String safe = WITH_USER.matcher(text).replaceFirst("$1" + CUT);
    safe = WITH_PARAMETERS.matcher(safe).replaceFirst("$1" + CUT);
    safe = PARAMETER.matcher(safe).replaceFirst("$1$2" + CUT);
    return USER.matcher(safe).replaceAll(Matcher.quoteReplacement(CUT + "@" + CUT));
  }

  /**
   * The failure itself if neither it nor anything that is printed with it says a password; or else
   * one of the same code and stack, with causes that say none either.
   */
  static Throwable cutFrom(Throwable failure) {
    return says(failure, Collections.newSetFromMap(new IdentityHashMap<>()))
        ? copy(failure, Collections.newSetFromMap(new IdentityHashMap<>()))
        : failure;
  }

  private static boolean says(@Nullable Throwable failure, Set<Throwable> seen) {
    if (failure == null || !seen.add(failure)) {
      return false;
    }
    String text = failure.toString();
    return !cutFrom(text).equals(text)
        || says(failure.getCause(), seen)
        || Stream.of(failure.getSuppressed()).anyMatch(each -> says(each, seen));
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
