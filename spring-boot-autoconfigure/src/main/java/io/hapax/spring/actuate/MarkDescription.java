package io.hapax.spring.actuate;

import io.hapax.mark.Bytes;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Describes a mark without fingerprint and result, with times by the store's clock. {@code until}
 * is the end of the lease, the time of the retry or that of the settlement.
 */
public record MarkDescription(
    String id,
    String state,
    int attempt,
    boolean inDoubt,
    @Nullable String owner,
    @Nullable String coordinates,
    String claimedAt,
    String until,
    @Nullable String reason) {

  static MarkDescription of(Mark mark) {
    return new MarkDescription(
        text(mark.key().id()),
        mark.state().name(),
        mark.claim().attempt().number(),
        mark.claim().attempt().inDoubt(),
        orNull(mark.claim().origin().owner()),
        orNull(mark.claim().origin().coordinates()),
        mark.claimedAt().toString(),
        mark.until().toString(),
        mark.state() == MarkState.DEAD ? mark.detail().toString() : null);
  }

  /** Returns the id in the form that {@link io.hapax.operations.redrive.MarkOperations} accepts. */
  private static String text(Bytes id) {
    byte[] bytes = id.toByteArray();
    String text = new String(bytes, StandardCharsets.UTF_8);
    return Bytes.utf8(text).equals(id) && text.chars().noneMatch(Character::isISOControl)
        ? text
        : "0x" + HexFormat.of().formatHex(bytes);
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
