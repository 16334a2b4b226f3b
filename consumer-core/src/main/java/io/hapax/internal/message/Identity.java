package io.hapax.internal.message;

import io.hapax.IdExtractor;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.MessageKeys;
import io.hapax.policy.MissingIdPolicy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** Reads the key and the fingerprint of a message, in the same way for receivers and for tools. */
public record Identity<M>(
    MessageKeys keys,
    IdExtractor<M> ids,
    MissingIdPolicy missingIds,
    Function<M, Fingerprint> fingerprint) {

  /**
   * Returns the key of the message's own id; empty if the message has no id or a blank one. Throws
   * if the extractor throws, the id exceeds the maximum length, or it is a damaged text.
   */
  public Optional<MessageKey> ownKeyOf(M message) {
    Optional<Bytes> id = ids.idOf(message);
    if (id.isEmpty() || id.get().isBlank()) {
      return Optional.empty();
    }
    requireUndamaged(id.get());
    return Optional.of(keys.of(id.get()));
  }

  /** Refuses a text that holds U+FFFD, also if the application's own extractor returns it. */
  public static void requireUndamaged(Bytes id) {
    if (id.isDamagedText()) {
      throw new IllegalArgumentException("id '" + id + "' holds U+FFFD, which a decoder writes in"
          + " place of bytes that are no valid UTF-8, so that different ids become equal");
    }
  }

  /**
   * Returns the key of a message without an id, made of its coordinates; empty if the policy does
   * not allow that, or if the coordinates are too long.
   */
  public Optional<MessageKey> keyOf(String coordinates) {
    if (missingIds != MissingIdPolicy.COORDINATES) {
      return Optional.empty();
    }
    Bytes id = idOf(coordinates);
    return id.length() <= MessageKey.MAX_ID_BYTES ? Optional.of(keys.of(id)) : Optional.empty();
  }

  /** Creates an id that starts with a byte that no text contains, so that it is unique. */
  private static Bytes idOf(String coordinates) {
    byte[] text = coordinates.getBytes(StandardCharsets.UTF_8);
    return Bytes.of(
        ByteBuffer.allocate(1 + text.length).put((byte) 0xFF).put(text).array());
  }

  public Fingerprint fingerprintOf(M message) {
    return Objects.requireNonNull(fingerprint.apply(message), "fingerprint");
  }
}
