package io.hapax.mark;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A short digest of a message's payload. A message with a known id and another payload is a
 * producer's mistake, not a duplicate; the fingerprint distinguishes the two. It has 64 bits, which
 * protects against accidents but not against an attacker.
 *
 * @param value the digest; 0 means that payloads are not compared
 */
public record Fingerprint(long value) {

  /** No fingerprint: never conflicts with anything. */
  public static final Fingerprint NONE = new Fingerprint(0);

  /**
   * {@return the fingerprint of a payload, never {@link #NONE}}
   *
   * @param payload the payload's bytes
   */
  public static Fingerprint of(byte[] payload) {
    Sha256 sha256 = Sha256.fresh();
    sha256.update(payload);
    long digest = sha256.result().getLong();
    return new Fingerprint(digest == 0 ? 1 : digest);
  }

  /**
   * {@return the fingerprint of this one and a named part of the message that is outside of its
   * payload, such as a header} Do not add what changes when the same message is sent again, such as
   * the id of a trace.
   *
   * @param name the name of the part
   * @param content its bytes
   */
  public Fingerprint and(String name, byte[] content) {
    byte[] named = name.getBytes(StandardCharsets.UTF_8);
    return of(ByteBuffer.allocate(Long.BYTES + Integer.BYTES + named.length + content.length)
        .putLong(value)
        .putInt(named.length)
        .put(named)
        .put(content)
        .array());
  }

  /**
   * {@return this fingerprint, or another one if this is {@link #NONE}}
   *
   * @param other the other fingerprint
   */
  public Fingerprint orElse(Fingerprint other) {
    return value == 0 ? other : this;
  }

  /**
   * {@return whether the two fingerprints are of different payloads: both are present and differ}
   *
   * @param other the other fingerprint
   */
  public boolean conflictsWith(Fingerprint other) {
    return value != 0 && other.value != 0 && value != other.value;
  }
}
