package io.hapax.mark;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * What a mark is kept under: a scope (the consumer's name and generation) and a message id. An id
 * is bytes: two ids that differ in any byte (case, accent, trailing space) are two ids.
 *
 * <p>Stores use {@link #storeKey()}, the first 128 bits of SHA-256 over the length-prefixed scope
 * and id. It is computed once, here. Keys order by those bits, unsigned; stores that lock rows lock
 * them in this order.
 */
public final class MessageKey implements Comparable<MessageKey> {

  /**
   * The longest id that is accepted, in bytes. A longer one is answered by the missing-id policy.
   */
  public static final int MAX_ID_BYTES = 16 * 1024;

  /** The longest scope that is accepted, in UTF-8 bytes. */
  public static final int MAX_SCOPE_BYTES = 200;

  private final String scope;
  private final Bytes id;
  private final long high;
  private final long low;

  private MessageKey(String scope, Bytes id, byte[] digest) {
    this.scope = scope;
    this.id = id;
    ByteBuffer bits = ByteBuffer.wrap(digest);
    this.high = bits.getLong();
    this.low = bits.getLong();
  }

  /**
   * The key of an id in a scope.
   *
   * @param scope the scope, not blank, without control characters, at most
   *     {@value #MAX_SCOPE_BYTES} bytes
   * @param id the id, 1 to {@value #MAX_ID_BYTES} bytes
   * @return the key
   * @throws IllegalArgumentException if scope or id breaks its rule
   */
  public static MessageKey of(String scope, Bytes id) {
    byte[] scopeBytes = Bytes.utf8(scope).unsafeArray();
    if (scope.isBlank() || scopeBytes.length > MAX_SCOPE_BYTES) {
      throw new IllegalArgumentException("scope is '" + scope + "' but must be 1 to "
          + MAX_SCOPE_BYTES + " UTF-8 bytes and not blank");
    }
    if (scope.chars().anyMatch(Character::isISOControl)) { // a text column may not take them
      throw new IllegalArgumentException("scope is '"
          + scope.replaceAll("\\p{Cntrl}", "?")
          + "', with control characters in place of the question marks, but must have none");
    }
    if (id.length() == 0 || id.length() > MAX_ID_BYTES) {
      throw new IllegalArgumentException(
          "message id has " + id.length() + " bytes but must have 1 to " + MAX_ID_BYTES);
    }
    return new MessageKey(scope, id, digest(scopeBytes, id.unsafeArray()));
  }

  /**
   * The key of a textual id in a scope.
   *
   * @param scope the scope
   * @param id the id; its strict UTF-8 bytes are used
   * @return the key
   * @throws IllegalArgumentException if scope or id breaks its rule, or the id is not valid Unicode
   */
  public static MessageKey of(String scope, String id) {
    return of(scope, Bytes.utf8(id));
  }

  private static byte[] digest(byte[] scope, byte[] id) {
    ByteBuffer input = ByteBuffer.allocate(Integer.BYTES * 2 + scope.length + id.length);
    input.putInt(scope.length).put(scope).putInt(id.length).put(id).flip();
    return sha256().digest(input.array());
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform must provide SHA-256", e);
    }
  }

  /**
   * The scope.
   *
   * @return consumer name and generation
   */
  public String scope() {
    return scope;
  }

  /**
   * The message id.
   *
   * @return the id's bytes
   */
  public Bytes id() {
    return id;
  }

  /**
   * The first 64 bits of the store key.
   *
   * @return the high bits
   */
  public long high() {
    return high;
  }

  /**
   * The last 64 bits of the store key.
   *
   * @return the low bits
   */
  public long low() {
    return low;
  }

  /**
   * The key as stores keep it.
   *
   * @return 16 bytes, big-endian
   */
  public byte[] storeKey() {
    return ByteBuffer.allocate(16).putLong(high).putLong(low).array();
  }

  @Override
  public int compareTo(MessageKey other) {
    int byHigh = Long.compareUnsigned(high, other.high);
    return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MessageKey that && high == that.high && low == that.low;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(low);
  }

  @Override
  public String toString() {
    return scope + "/" + id;
  }
}
