package io.hapax.kafka;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.ShortDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Turns an {@link Error} of a deserializer into an exception. The client names the record of an
 * exception, so that only its partition stops. An error ends the poll thread, and then that of each
 * member that gets the partition next: one deeply nested record would end the whole group.
 */
final class GuardedDeserializer<T> implements Deserializer<T> {

  private static final Set<Class<?>> FAITHFUL = Set.of(
      ByteArrayDeserializer.class,
      LongDeserializer.class,
      IntegerDeserializer.class,
      ShortDeserializer.class);

  private static final String E_ACUTE = "\u00e9";
  private static final byte[] UTF_8 = E_ACUTE.getBytes(StandardCharsets.UTF_8);

  /** Causes may form a circle. */
  private static final int MOST_CAUSES = 50;

  private final Deserializer<T> deserializer;

  GuardedDeserializer(Deserializer<T> deserializer) {
    this.deserializer = deserializer;
  }

  /**
   * Makes the deserializer that the properties name, and configures it as the client would.
   *
   * @throws KafkaException if there is none, or it cannot be made
   */
  @SuppressWarnings("unchecked") // only the properties name the type
  static <T> GuardedDeserializer<T> of(
      Map<String, Object> properties, String property, boolean isKey) {
    Object given = properties.get(property);
    if (given == null) {
      throw new KafkaException(property + " is not set but a deserializer is required");
    }
    try {
      Class<?> type = (Class<?>) ConfigDef.parseType(property, given, ConfigDef.Type.CLASS);
      Deserializer<T> deserializer =
          (Deserializer<T>) type.getDeclaredConstructor().newInstance();
      deserializer.configure(properties, isKey);
      return new GuardedDeserializer<>(deserializer);
    } catch (ReflectiveOperationException | ClassCastException e) {
      throw new KafkaException(
          property + " is " + given + " but must name a deserializer with a constructor without"
              + " arguments",
          e);
    }
  }

  /**
   * Returns whether a deserializer failed with an error of the virtual machine, as without memory.
   * Later it can read the same record. A stack that overflows does so again.
   */
  static boolean isMomentary(Throwable failure) {
    Throwable next = failure;
    for (int i = 0; next != null && i < MOST_CAUSES; i++) {
      if (next instanceof VirtualMachineError) {
        return !(next instanceof StackOverflowError);
      }
      next = next.getCause();
    }
    return false;
  }

  /**
   * Returns whether texts, numbers and byte arrays of it show what they were read from: a
   * serializer of the same kind writes the same bytes. A text with a replacement character does
   * not.
   */
  boolean isFaithful() {
    Class<?> type = deserializer.getClass(); // a subclass may decrypt
    return FAITHFUL.contains(type)
        || (type == StringDeserializer.class
            && E_ACUTE.equals(deserializer.deserialize("", UTF_8)));
  }

  private static <T> T guarded(Supplier<T> call) {
    try {
      return call.get();
    } catch (Error e) {
      throw new SerializationException(
          "the deserializer failed with " + e.getClass().getName(), e);
    }
  }

  @Override
  public T deserialize(String topic, byte[] data) {
    return guarded(() -> deserializer.deserialize(topic, data));
  }

  @Override
  public T deserialize(String topic, Headers headers, byte[] data) {
    return guarded(() -> deserializer.deserialize(topic, headers, data));
  }

  @Override
  public T deserialize(String topic, Headers headers, ByteBuffer data) {
    return guarded(() -> deserializer.deserialize(topic, headers, data));
  }

  @Override
  public void close() {
    deserializer.close();
  }
}
