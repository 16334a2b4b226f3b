package io.hapax.spring.listener;

import io.hapax.mark.Bytes;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the parts of a message that expressions of {@link io.hapax.spring.Idempotent} name. */
public interface MessageFields<M> {

  /** Returns the topic that the message was sent to first, also if it comes from a retry topic. */
  String topic(M message);

  /** Returns the bytes of a header; empty if it is missing or has none. */
  Optional<Bytes> header(M message, String name);

  /** Returns the bytes of the key, or those of its text; empty if it is missing or empty. */
  Optional<Bytes> key(M message);

  /** Returns the tag, which distinguishes messages like the value does; empty without one. */
  default Optional<Bytes> tag(M message) {
    return Optional.empty();
  }

  /**
   * Returns the received bytes of the value; empty for a message without one. Throws
   * IllegalStateException if the bytes are not known.
   */
  Optional<byte[]> value(M message);

  /** Returns what a SpEL expression sees. */
  Root root(M message);

  /**
   * The payload is as the listener's deserializer made it. Headers are texts, or bytes that are not
   * valid UTF-8.
   */
  record Root(
      @Nullable Object payload, @Nullable Object key, Map<String, Object> headers, String topic) {}
}
