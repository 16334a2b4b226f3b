package io.hapax.console.security;

import io.hapax.console.http.Request;
import java.net.URI;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Checks the headers {@code Host} and {@code Origin}. This prevents DNS rebinding: a foreign site
 * whose name resolves to this machine sends its own name, and is refused.
 */
public final class Hosts {

  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  private final Set<String> names = new TreeSet<>(LOOPBACK);

  /** Accepts the loopback names and further ones. */
  public Hosts(Set<String> more) {
    more.forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
  }

  /** Returns whether the header {@code Host} is accepted. */
  public boolean permits(Request request) {
    return request
        .header("host")
        .map(Hosts::withoutPort)
        .filter(names::contains)
        .isPresent();
  }

  private static String withoutPort(String host) {
    return host.toLowerCase(Locale.ROOT).replaceFirst(":\\d{1,5}$", "");
  }

  /**
   * Returns whether a request comes from a page of its own host. Browsers send the header
   * {@code Origin} with every form of another site.
   */
  public static boolean isOwnOrigin(Request request) {
    String origin = request.header("origin").orElse("");
    if (origin.isEmpty()) {
      return true;
    }
    try {
      String authority = URI.create(origin).getRawAuthority();
      return authority != null
          && authority.equalsIgnoreCase(request.header("host").orElse(""));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
