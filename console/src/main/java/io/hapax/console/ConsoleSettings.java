package io.hapax.console;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of a console. By default it is read-only and shows no payloads.
 *
 * @param base the path before every address; empty, or begins with a slash and does not end with
 *     one
 * @param token the secret that a user signs in with; empty if the surrounding application
 *     authenticates users
 * @param actionLog the file of the action log; without one the console is read-only
 * @param payloads whether results of handlers are shown
 * @param hosts the accepted values of the header {@code Host}, in addition to the loopback names;
 *     empty if the surrounding application checks the header
 * @param secure whether browsers use TLS, so that cookies are for TLS only
 */
public record ConsoleSettings(
    String base,
    Optional<String> token,
    Optional<Path> actionLog,
    boolean payloads,
    Optional<Set<String>> hosts,
    boolean secure) {

  /**
   * Checks the base.
   *
   * @param base the path before every address
   * @param token the secret that a user signs in with
   * @param actionLog the file of the action log
   * @param payloads whether results of handlers are shown
   * @param hosts the accepted values of the header {@code Host}
   * @param secure whether browsers use TLS
   */
  public ConsoleSettings {
    if (!base.isEmpty() && (!base.startsWith("/") || base.startsWith("//") || base.endsWith("/"))) {
      throw new IllegalArgumentException(
          "base is " + base + " but must be empty, or begin with one slash and not end with one");
    }
    hosts = hosts.map(Set::copyOf);
  }

  /**
   * {@return the settings of a console that is not part of an application: read-only, without
   * payloads, for the loopback names}
   *
   * @param token the secret that a user signs in with
   */
  public static ConsoleSettings standalone(String token) {
    return new ConsoleSettings(
        "", Optional.of(token), Optional.empty(), false, Optional.of(Set.of()), false);
  }

  /**
   * {@return the settings of a console within an application, which authenticates users and checks
   * the header {@code Host}: read-only, without payloads}
   *
   * @param base the path before every address
   */
  public static ConsoleSettings mounted(String base) {
    return new ConsoleSettings(
        base, Optional.empty(), Optional.empty(), false, Optional.empty(), false);
  }

  /**
   * {@return settings that permit actions}
   *
   * @param log the file of the action log
   */
  public ConsoleSettings allowingWrites(Path log) {
    return new ConsoleSettings(base, token, Optional.of(log), payloads, hosts, secure);
  }

  /** {@return settings that show results of handlers} */
  public ConsoleSettings showingPayloads() {
    return new ConsoleSettings(base, token, actionLog, true, hosts, secure);
  }

  /**
   * {@return settings that accept further values of the header {@code Host}}
   *
   * @param names the names, without ports
   */
  public ConsoleSettings forHosts(Set<String> names) {
    return new ConsoleSettings(base, token, actionLog, payloads, Optional.of(names), secure);
  }

  /** {@return settings that restrict cookies to TLS} */
  public ConsoleSettings overTls() {
    return new ConsoleSettings(base, token, actionLog, payloads, hosts, true);
  }
}
