package io.hapax.kafka.internal;

import java.util.Arrays;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what was received of a key or value, and the headers before. It has no value as a header,
 * so that a copied header does not publish the bytes. A header of that name which a producer sent
 * has another class, and is never taken for it. It is no record: then a log of headers would show
 * the payload.
 */
public final class ReceivedPart implements Header {

  static final String KEY = "hapax-kept-key";
  static final String VALUE = "hapax-kept-value";

  private static final byte[] EMPTY = {};

  private final String name;
  private final byte[] bytes;
  private final Header[] headers;
  private final @Nullable Object read;

  ReceivedPart(boolean isKey, byte[] bytes, Header[] headers, @Nullable Object read) {
    this.name = isKey ? KEY : VALUE;
    this.bytes = bytes;
    this.headers = headers;
    this.read = read;
  }

  /** Returns whether the record still has what was read: an interceptor may have replaced it. */
  boolean isOf(@Nullable Object present) {
    return present == read;
  }

  /** Returns a copy: a deserializer or a handler may change it. */
  public byte[] bytes() {
    return bytes.clone();
  }

  Headers headers() {
    return new RecordHeaders(headers);
  }

  public static Header[] without(Headers headers) {
    return Arrays.stream(headers.toArray())
        .filter(it -> !(it instanceof ReceivedPart))
        .toArray(Header[]::new);
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
