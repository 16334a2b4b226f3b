package io.hapax.mark;

import java.nio.ByteBuffer;

/**
 * Identifies a mark: a scope (the consumer's name and generation) and a message id. An id is bytes:
 * ids that differ in any byte (case, accent, trailing space) are different ids.
 *
 * <p>Stores use {@link #storeKey()}, the first 128 bits of SHA-256 over the length-prefixed scope
 * and id. Keys are ordered by these bits, unsigned; stores that lock rows lock them in this order.
 */
public final class MessageKey implements Comparable<MessageKey> {

  /** The longest accepted id, in bytes. The missing-id policy applies to a longer one. */
  public static final int MAX_ID_BYTES = 16 * 1024;

  /** The longest accepted scope, in UTF-8 bytes. */
  public static final int MAX_SCOPE_BYTES = 200;

  private final String scope;
  private final Bytes id;
  private final long high;
  private final long low;

  MessageKey(String scope, Bytes id, ByteBuffer digest) {
    this.scope = scope;
    this.id = id;
    this.high = digest.getLong();
    this.low = digest.getLong();
  }

  /**
   * {@return the key of an id in a scope}
   *
   * @param scope the scope, not blank, without control characters, at most
   *     {@value #MAX_SCOPE_BYTES} bytes
   * @param id the id, 1 to {@value #MAX_ID_BYTES} bytes
   * @throws IllegalArgumentException if scope or id breaks its rule
   */
  public static MessageKey of(String scope, Bytes id) {
    return new MessageKeys(scope).of(id);
  }

  /**
   * {@return the key of a textual id in a scope}
   *
   * @param scope the scope
   * @param id the id; its strict UTF-8 bytes are used
   * @throws IllegalArgumentException if scope or id breaks its rule, or the id is not valid Unicode
   */
  public static MessageKey of(String scope, String id) {
    return of(scope, Bytes.utf8(id));
  }

  /** {@return the scope: consumer name and generation} */
  public String scope() {
    return scope;
  }

  /** {@return the bytes of the message id} */
  public Bytes id() {
    return id;
  }

  /** {@return the first 64 bits of the store key} */
  public long high() {
    return high;
  }

  /** {@return the last 64 bits of the store key} */
  public long low() {
    return low;
  }

  /** {@return the key in the form that stores use: 16 bytes, big-endian} */
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
