package io.hapax.spring.kafka;

import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.support.serializer.SerializationUtils;

/**
 * Calls the application's deserializer. If the object does not show the bytes that it was read
 * from, it keeps these in a header: ids, fingerprints and dead letters need them. If the
 * deserializer fails, the error is kept, too, so that the record reaches the listener's container
 * and can be dead-lettered.
 *
 * <p>Kafka makes it by its name; not for applications.
 */
public final class KeptBytesDeserializer implements Deserializer<Object> {

  /** What the property is named that has the application's deserializer. */
  static final String DELEGATE = "hapax.delegate.";

  /** A text deserializer writes it in place of bytes that are not valid UTF-8. */
  private static final char REPLACEMENT = '\ufffd';

  private @Nullable Deserializer<?> delegate;
  private String header = ReceivedRecord.VALUE_BYTES;
  private boolean isKey;

  /** Made by Kafka. */
  public KeptBytesDeserializer() {}

  @Override
  public void configure(Map<String, ?> properties, boolean ofKey) {
    isKey = ofKey;
    header = ofKey ? ReceivedRecord.KEY_BYTES : ReceivedRecord.VALUE_BYTES;
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
  @SuppressWarnings("NullAway") // deserializers take and return null for a missing value
  public @Nullable Object deserialize(String topic, Headers headers, byte @Nullable [] data) {
    headers.remove(header); // a producer must not choose the bytes that are compared
    try {
      Object read = delegate.deserialize(topic, headers, data);
      if (data != null && isLossy(read)) {
        headers.add(header, data);
      }
      return read;
    } catch (RuntimeException e) {
      SerializationUtils.deserializationException(headers, data, e, isKey);
    } catch (StackOverflowError e) { // the record is nested too deeply
      SerializationUtils.deserializationException(
          headers, data, new IllegalArgumentException("nested too deeply"), isKey);
    }
    return null;
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

  @Override
  public void close() {
    if (delegate != null) {
      delegate.close();
    }
  }
}
