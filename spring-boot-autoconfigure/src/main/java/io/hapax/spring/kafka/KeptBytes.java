package io.hapax.spring.kafka;

import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * What was received of one part of a record, the key or the value. It is a header of the
 * deserialized record, but has no value there, so that a copied header does not publish the bytes.
 * A header that a producer sent has another class and is never taken for it.
 *
 * @param key the name of the header
 * @param received the bytes, of which readers get copies: a deserializer or a listener may change
 *     them
 * @param headers those of the record before the deserializer of this part changed them
 * @param read what the deserializer made of them
 */
@SuppressWarnings("ArrayRecordComponent") // a header is an array, and none is compared
record KeptBytes(
    String key, byte[] received, Header[] headers, @Nullable Object read) implements Header {

  private static final byte[] EMPTY = {};

  /** Returns whether the record still has what was read: an interceptor may have replaced it. */
  boolean isOf(@Nullable Object present) {
    return present == read;
  }

  byte[] bytes() {
    return received.clone();
  }

  @Override
  public byte[] value() {
    return EMPTY;
  }
}
