package io.hapax.spring.kafka;

import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.support.serializer.SerializationUtils;

/**
 * Calls the application's deserializer, and keeps the received bytes in a header: ids, fingerprints
 * and dead letters need them. If the deserializer fails, also with an {@link Error}, its failure is
 * kept, too, so that the record reaches the listener's container and can be dead-lettered. A
 * failure for want of memory is thrown: later the same record can be read.
 *
 * <p>Kafka makes it by its name; not for applications.
 */
public final class KeptBytesDeserializer implements Deserializer<Object> {

  /** What the property is named that has the application's deserializer. */
  static final String DELEGATE = "hapax.delegate.";

  /** A text deserializer writes it in place of bytes that are not valid UTF-8. */
  private static final char REPLACEMENT = '\ufffd';

  /** Causes may form a circle. */
  private static final int MOST_CAUSES = 50;

  private @Nullable Deserializer<?> delegate;
  private String header = PolledRecord.VALUE_BYTES;
  private boolean isKey;

  @Override
  public void configure(Map<String, ?> properties, boolean ofKey) {
    isKey = ofKey;
    header = ofKey ? PolledRecord.KEY_BYTES : PolledRecord.VALUE_BYTES;
    String property = DELEGATE
        + (ofKey
            ? ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG
            : ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG);
    Object given = properties.get(property);
    if (given == null) {
      throw new KafkaException(property + " is not set but a deserializer is required");
    }
    Class<?> type = (Class<?>) ConfigDef.parseType(property, given, ConfigDef.Type.CLASS);
    Deserializer<?> made = (Deserializer<?>) Utils.newInstance(type);
    made.configure(properties, ofKey);
    delegate = made;
  }

  @Override
  public @Nullable Object deserialize(String topic, byte @Nullable [] data) {
    return deserialize(topic, new RecordHeaders(), data);
  }

  @Override
  public @Nullable Object deserialize(String topic, Headers headers, byte @Nullable [] data) {
    headers.remove(header); // a producer must not choose the bytes that are compared
    if (data == null) {
      return read(topic, headers, null, null);
    }
    // The deserializer may change the array, as one that decrypts, or hand it to the listener.
    byte[] received = data.clone();
    Header[] before = headers.toArray();
    Object read = read(topic, headers, data, received);
    headers.add(new KeptBytes(header, received, before, read));
    return read;
  }

  /** Deserializes bytes that were kept. Throws what the application's deserializer throws. */
  @SuppressWarnings("NullAway") // it is configured
  @Nullable
  Object again(String topic, Headers headers, byte[] received) {
    return delegate.deserialize(topic, headers, received);
  }

  @SuppressWarnings("NullAway") // deserializers take and return null for a missing value
  private @Nullable Object read(
      String topic, Headers headers, byte @Nullable [] data, byte @Nullable [] received) {
    try {
      return delegate.deserialize(topic, headers, data);
    } catch (Throwable e) { // a deserializer in another language may throw any
      if (isMomentary(e)) {
        throw new ReadAgainException(e);
      }
      unreadable(headers, received, e);
      return null;
    }
  }

  @SuppressWarnings("NullAway") // Spring's method does not say that the bytes may be missing
  private void unreadable(Headers headers, byte @Nullable [] received, Throwable failure) {
    try {
      SerializationUtils.deserializationException(headers, received, asException(failure), isKey);
    } catch (RuntimeException | Error notSerializable) {
      SerializationUtils.deserializationException(headers, received, named(failure), isKey);
    }
  }

  private static Exception asException(Throwable failure) {
    if (failure instanceof StackOverflowError) { // its stack trace is long and says no more
      return new IllegalArgumentException("nested too deeply");
    }
    return failure instanceof RuntimeException exception ? exception : named(failure);
  }

  private static Exception named(Throwable failure) {
    return new SerializationException(
        "the deserializer failed with " + failure.getClass().getName());
  }

  /**
   * Returns whether a deserializer failed with an error of the virtual machine, as without memory.
   * Later it can read the same record. A stack that overflows does so again.
   */
  private static boolean isMomentary(Throwable failure) {
    Throwable next = failure;
    for (int i = 0; next != null && i < MOST_CAUSES; i++) {
      if (next instanceof VirtualMachineError) {
        return !(next instanceof StackOverflowError);
      }
      next = next.getCause();
    }
    return false;
  }

  /** Reports that a record cannot be read now and can be read later. */
  static final class ReadAgainException extends SerializationException {

    private static final long serialVersionUID = 1L;

    ReadAgainException(Throwable cause) {
      super("the deserializer failed for want of memory: the record is read again", cause);
    }
  }

  /**
   * Returns whether an object does not show the bytes that it was read from. After a failure there
   * is none, and the error has the bytes.
   */
  static boolean isLossy(@Nullable Object read) {
    return read instanceof String text
        ? text.indexOf(REPLACEMENT) >= 0
        : read != null && !(read instanceof byte[]);
  }

  /** Closes a deserializer if it was made here, and not if it is one of the application. */
  static void closeOwn(@Nullable Deserializer<?> deserializer) {
    if (deserializer instanceof KeptBytesDeserializer) {
      deserializer.close();
    }
  }

  @Override
  public void close() {
    if (delegate != null) {
      delegate.close();
    }
  }
}
