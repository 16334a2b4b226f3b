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

/**
 * How a consumer tells its messages apart; the same for whoever handles them and for whoever only
 * looks.
 *
 * @param keys of the scope that the marks are kept under
 * @param ids finds a message's id
 * @param missingIds what a message without one is known by, if by anything
 * @param fingerprint tells payloads apart
 */
public record Identity<M>(
    MessageKeys keys,
    IdExtractor<M> ids,
    MissingIdPolicy missingIds,
    Function<M, Fingerprint> fingerprint) {

  /**
   * The key of the message's own id.
   *
   * @return empty if it has none, or a blank one
   * @throws RuntimeException if the extractor throws, or the id is longer than is accepted
   */
  public Optional<MessageKey> ownKeyOf(M message) {
    Optional<Bytes> id = ids.idOf(message);
    return id.isPresent() && !id.get().isBlank()
        ? Optional.of(keys.of(id.get()))
        : Optional.empty();
  }

  /**
   * The key of a message that has no id of its own; empty unless its coordinates serve as one,
   * which they do not if they are too long for an id.
   */
  public Optional<MessageKey> keyOf(String coordinates) {
    if (missingIds != MissingIdPolicy.COORDINATES) {
      return Optional.empty();
    }
    Bytes id = idOf(coordinates);
    return id.length() <= MessageKey.MAX_ID_BYTES ? Optional.of(keys.of(id)) : Optional.empty();
  }

  /** Begins with a byte that no text holds, so that it is nobody's id. */
  private static Bytes idOf(String coordinates) {
    byte[] text = coordinates.getBytes(StandardCharsets.UTF_8);
    return Bytes.of(
        ByteBuffer.allocate(1 + text.length).put((byte) 0xFF).put(text).array());
  }

  /**
   * The message's fingerprint.
   *
   * @throws RuntimeException if the function throws
   */
  public Fingerprint fingerprintOf(M message) {
    return Objects.requireNonNull(fingerprint.apply(message), "fingerprint");
  }
}
