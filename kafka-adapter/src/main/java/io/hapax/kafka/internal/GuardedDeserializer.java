package io.hapax.kafka.internal;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.ShortDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns an {@link Error} of a deserializer into an exception. The client names the record of an
 * exception, so that only its partition stops. An error ends the poll thread, and then that of each
 * member that gets the partition next: one deeply nested record would end the whole group.
 *
 * <p>For a consumer it also keeps the bytes that an object was read from, in a header that
 * {@link RecordHandouts} removes after the poll: a handler can change the object, or the object
 * does not show them.
 */
public final class GuardedDeserializer<T> implements Deserializer<T> {

  public interface OnFailure {

    /** Lets the record reach its handler without the part that cannot be read, or throws. */
    void failed(Headers headers, byte @Nullable [] received, Throwable failure);
  }

  private static final Logger LOG = LoggerFactory.getLogger(GuardedDeserializer.class);

  /** A serializer of the same kind writes the bytes that were read. */
  private static final Set<Class<?>> FAITHFUL = Set.of(
      ByteArrayDeserializer.class,
      LongDeserializer.class,
      IntegerDeserializer.class,
      ShortDeserializer.class);

  /** A text deserializer writes it in place of bytes that are no text. */
  private static final char REPLACEMENT = '\ufffd';

  private static final String E_ACUTE = "\u00e9";
  private static final byte[] UTF_8 = E_ACUTE.getBytes(StandardCharsets.UTF_8);

  /** Causes may form a circle. */
  private static final int MOST_CAUSES = 50;

  private final Deserializer<T> deserializer;
  private final boolean isKey;
  private final boolean keepsBytes;

  /** Whether texts, numbers and byte arrays show what they were read from. */
  private final boolean faithful;

  private final OnFailure onFailure;

  private GuardedDeserializer(
      Deserializer<T> deserializer,
      boolean isKey,
      boolean keepsBytes,
      boolean faithful,
      OnFailure onFailure) {
    this.deserializer = deserializer;
    this.isKey = isKey;
    this.keepsBytes = keepsBytes;
    this.faithful = faithful;
    this.onFailure = onFailure;
  }

  /** Guards a deserializer. It keeps no bytes, and throws an exception for each failure. */
  public static <T> GuardedDeserializer<T> of(Deserializer<T> deserializer, boolean isKey) {
    return new GuardedDeserializer<>(
        deserializer, isKey, false, false, GuardedDeserializer::throwException);
  }

  /** Makes and configures the deserializer of the properties with this prefix. */
  @SuppressWarnings("unchecked") // only the properties name the type
  public static <T> GuardedDeserializer<T> of(Map<String, ?> given, String prefix, boolean isKey) {
    // As in the client, config providers have replaced variables, such as a secret.
    Map<String, ?> properties = new AbstractConfig(new ConfigDef(), given, false).originals();
    String property = prefix
        + (isKey
            ? ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG
            : ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG);
    Object named = properties.get(property);
    if (named == null) {
      throw new KafkaException(property + " is not set but a deserializer is required");
    }
    try {
      Class<?> type = (Class<?>) ConfigDef.parseType(property, named, ConfigDef.Type.CLASS);
      Deserializer<T> deserializer =
          (Deserializer<T>) type.getDeclaredConstructor().newInstance();
      deserializer.configure(properties, isKey);
      return of(deserializer, isKey);
    } catch (ReflectiveOperationException | ClassCastException e) {
      throw new KafkaException(
          property + " is " + named + " but must name a deserializer with a constructor without"
              + " arguments",
          e);
    }
  }

  /** Kafka's deserializers of texts, numbers and byte arrays need no header. */
  GuardedDeserializer<T> keepingHidden() {
    boolean shown = FAITHFUL.contains(deserializer.getClass()) || readsUtf8(deserializer);
    return new GuardedDeserializer<>(deserializer, isKey, true, shown, onFailure);
  }

  public GuardedDeserializer<T> keepingAll(OnFailure decision) {
    return new GuardedDeserializer<>(deserializer, isKey, true, false, decision);
  }

  /**
   * Whether it reads texts that show their bytes, unless they are lossy. A subclass may decrypt.
   */
  public static boolean readsUtf8(Deserializer<?> deserializer) {
    return deserializer.getClass() == StringDeserializer.class
        && E_ACUTE.equals(deserializer.deserialize("", UTF_8));
  }

  public static boolean isLossy(String text) {
    return text.indexOf(REPLACEMENT) >= 0;
  }

  /**
   * Returns whether the machine failed, as without memory: later the same record can be read. A
   * stack that overflows does so again, because the record is too deeply nested.
   */
  public static boolean isMomentary(Throwable failure) {
    Throwable next = failure;
    for (int i = 0; next != null && i < MOST_CAUSES; i++) {
      if (next instanceof VirtualMachineError) {
        return !(next instanceof StackOverflowError);
      }
      next = next.getCause();
    }
    return false;
  }

  private static void throwException(
      Headers headers, byte @Nullable [] received, Throwable failure) {
    if (failure instanceof RuntimeException exception) {
      throw exception;
    }
    throw new SerializationException(
        "the deserializer failed with " + failure.getClass().getName(), failure);
  }

  @Override
  public T deserialize(String topic, byte[] data) {
    return deserialize(topic, new RecordHeaders(), data);
  }

  @Override
  @SuppressWarnings("NullAway") // deserializers take null for a missing value
  public T deserialize(String topic, Headers headers, byte[] data) {
    if (data == null || !keepsBytes) {
      return read(topic, headers, data, data, onFailure);
    }
    if (faithful) {
      T read = read(topic, headers, data, data, onFailure);
      if (read instanceof String text && isLossy(text)) {
        headers.add(new ReceivedPart(isKey, data, ReceivedPart.without(headers), read));
      }
      return read;
    }
    Header[] before = ReceivedPart.without(headers);
    byte[] received = data.clone(); // the deserializer may change the array, as one that decrypts
    T read = read(topic, headers, data, received, onFailure);
    headers.add(new ReceivedPart(isKey, received, before, read));
    return read;
  }

  @SuppressWarnings("NullAway") // a deserializer may return null
  private T read(String topic, Headers headers, byte[] data, byte[] received, OnFailure decision) {
    try {
      return deserializer.deserialize(topic, headers, data);
    } catch (Throwable e) { // a deserializer in another language may throw any
      decision.failed(headers, received, e);
      return null;
    }
  }

  /** Reads an object again, or throws an exception. It may use the array: it gets a copy. */
  T again(String topic, ReceivedPart part) {
    byte[] bytes = part.bytes();
    return read(topic, part.headers(), bytes, bytes, GuardedDeserializer::throwException);
  }

  /** Does not throw: what a receiver closes after it must be closed, too. */
  @Override
  public void close() {
    try {
      deserializer.close();
    } catch (Throwable e) { // see read
      LOG.error("A deserializer did not close well", e);
    }
  }
}
