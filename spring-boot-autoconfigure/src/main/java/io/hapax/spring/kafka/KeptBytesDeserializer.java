package io.hapax.spring.kafka;

import io.hapax.kafka.internal.GuardedDeserializer;
import java.util.Map;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.support.serializer.SerializationUtils;

/**
 * Keeps the received bytes in a header, which ids, fingerprints and dead letters need. Keeps a
 * failure, too, so that the record can be dead-lettered. A failure for want of memory is thrown:
 * later the same record can be read. Kafka makes it by its name.
 */
public final class KeptBytesDeserializer implements Deserializer<Object> {

  static final String DELEGATE = "hapax.delegate.";

  private @Nullable GuardedDeserializer<Object> guarded;

  @Override
  public void configure(Map<String, ?> properties, boolean isKey) {
    guarded = GuardedDeserializer.of(properties, DELEGATE, isKey)
        .keepingAll((headers, received, failure) -> keep(headers, received, failure, isKey));
  }

  @Override
  public @Nullable Object deserialize(String topic, byte @Nullable [] data) {
    return deserialize(topic, new RecordHeaders(), data);
  }

  @Override
  @SuppressWarnings("NullAway") // it is configured, and deserializers take null
  public @Nullable Object deserialize(String topic, Headers headers, byte @Nullable [] data) {
    return guarded.deserialize(topic, headers, data);
  }

  @SuppressWarnings("NullAway") // Spring's method does not say that the bytes may be missing
  private static void keep(
      Headers headers, byte @Nullable [] received, Throwable failure, boolean isKey) {
    if (GuardedDeserializer.isMomentary(failure)) {
      throw new ReadAgainException(failure);
    }
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

  static final class ReadAgainException extends SerializationException {

    private static final long serialVersionUID = 1L;

    ReadAgainException(Throwable cause) {
      super("the deserializer failed for want of memory: the record is read again", cause);
    }
  }

  @Override
  public void close() {
    if (guarded != null) {
      guarded.close();
    }
  }
}
