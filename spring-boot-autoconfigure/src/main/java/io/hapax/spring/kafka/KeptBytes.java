package io.hapax.spring.kafka;

import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * What was received of one part of a record, the key or the value. It is a header of the
 * deserialized record, but has no value there, so that a copied header does not publish the bytes.
 * A header that a producer sent has another class and is never taken for it. It is no record: then
 * a log of headers would show the payload.
 */
final class KeptBytes implements Header {

  private static final byte[] EMPTY = {};

  private final String name;
  private final byte[] bytes;

  /** Those of the record before the deserializer of this part changed them. */
  private final Header[] headers;

  private final @Nullable Object read;

  KeptBytes(String name, byte[] bytes, Header[] headers, @Nullable Object read) {
    this.name = name;
    this.bytes = bytes;
    this.headers = headers;
    this.read = read;
  }

  /** Returns whether the record still has what was read: an interceptor may have replaced it. */
  boolean isOf(@Nullable Object present) {
    return present == read;
  }

  /** Returns a copy: a deserializer or a listener may change it. */
  byte[] bytes() {
    return bytes.clone();
  }

  Header[] headers() {
    return headers;
  }

  @Override
  public String key() {
    return name;
  }

  @Override
  public byte[] value() {
    return EMPTY;
  }
}
