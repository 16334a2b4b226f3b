package io.hapax.spring.actuate;

import io.hapax.mark.Resolution;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The answer to a change of a mark.
 *
 * @param consumer the consumer
 * @param id the message id
 * @param action what was asked for
 * @param changed whether the mark was changed
 * @param why why it was not changed; empty if it was
 */
public record MarkDecision(String consumer, String id, String action, boolean changed, String why) {

  /** Returns the resolution of this name, for example {@code force-done}. */
  static Optional<Resolution> resolution(String action, boolean force) {
    return Arrays.stream(Resolution.Kind.values())
        .filter(kind -> name(kind).equals(action))
        .findFirst()
        .map(kind -> new Resolution(kind, force));
  }

  /** Returns the names of all actions. */
  static String actions() {
    return String.join(
        ", ", Arrays.stream(Resolution.Kind.values()).map(MarkDecision::name).toList());
  }

  private static String name(Resolution.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
