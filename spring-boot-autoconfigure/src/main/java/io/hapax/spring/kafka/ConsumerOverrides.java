package io.hapax.spring.kafka;

import io.hapax.kafka.internal.GuardedDeserializer;
import io.hapax.kafka.internal.RecordHandouts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;

/** The properties of a container's consumers, and what Hapax adds so that no message is lost. */
final class ConsumerOverrides {

  private static final Duration LONGEST_PATIENCE = Duration.ofSeconds(5);
  private static final int STANDARD_INTERVAL_MILLIS = 300_000;

  private final ConsumerFactory<?, ?> factory;
  private final ContainerProperties container;
  private final @Nullable String group;

  ConsumerOverrides(AbstractMessageListenerContainer<?, ?> container) {
    this.factory = ContainerInternals.consumerFactory(container);
    this.container = container.getContainerProperties();
    this.group = container.getGroupId();
  }

  Map<String, Object> effective() {
    Map<String, Object> all = new HashMap<>(factory.getConfigurationProperties());
    all.putAll(ofContainer());
    if (group != null) {
      all.put(ConsumerConfig.GROUP_ID_CONFIG, group);
    }
    return all;
  }

  /** Returns those of the container, which it may inherit from others. */
  private Map<String, Object> ofContainer() {
    Map<String, Object> all = new HashMap<>();
    Properties own = container.getKafkaConsumerProperties();
    own.stringPropertyNames().forEach(name -> all.put(name, own.getProperty(name)));
    own.forEach((name, value) -> all.put(String.valueOf(name), value));
    return all;
  }

  void apply() {
    Map<String, Object> given = effective();
    Properties properties = new Properties();
    properties.putAll(ofContainer());
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    standard(properties, given, ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    standard(properties, given, ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    if (factory.getKeyDeserializer() == null) {
      wrap(properties, given, ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG);
    }
    if (factory.getValueDeserializer() == null) {
      wrap(properties, given, ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG);
    }
    container.setKafkaConsumerProperties(properties);
  }

  /** Adds a {@link PollCheck} behind the interceptors of the application. */
  void checkPolls(StartedConsumers started) {
    String name = ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG;
    Object given = effective().getOrDefault(name, List.of());
    List<Object> all =
        new ArrayList<>((List<?>) ConfigDef.parseType(name, given, ConfigDef.Type.LIST));
    all.add(PollCheck.class.getName());
    container.getKafkaConsumerProperties().put(name, all);
    container.getKafkaConsumerProperties().put(PollCheck.STARTED, started);
  }

  private static void standard(
      Properties properties, Map<String, Object> given, String name, String value) {
    if (!given.containsKey(name)) {
      properties.put(name, value);
    }
  }

  private static void wrap(Properties properties, Map<String, Object> given, String name) {
    Object deserializer = given.get(name);
    if (deserializer != null) {
      String type =
          deserializer instanceof Class<?> known ? known.getName() : deserializer.toString();
      if (!type.equals(KeptBytesDeserializer.class.getName())) {
        properties.put(KeptBytesDeserializer.DELEGATE + name, deserializer);
        properties.put(name, KeptBytesDeserializer.class.getName());
      }
    }
  }

  /** Returns one as consumers have it after {@link #apply()}, for {@link #close}. */
  Deserializer<?> deserializer(boolean isKey) {
    Deserializer<?> given = isKey ? factory.getKeyDeserializer() : factory.getValueDeserializer();
    if (given != null) {
      return given; // consumers share it
    }
    Deserializer<?> made = new KeptBytesDeserializer();
    made.configure(effective(), isKey);
    return made;
  }

  static void close(Deserializer<?> deserializer) {
    if (deserializer instanceof KeptBytesDeserializer) {
      deserializer.close();
    }
  }

  /** A deserializer object of the application keeps no bytes: its records are not read again. */
  RecordHandouts<Object, Object> handouts() {
    return new RecordHandouts<>(
        () -> GuardedDeserializer.of(effective(), KeptBytesDeserializer.DELEGATE, true),
        () -> GuardedDeserializer.of(effective(), KeptBytesDeserializer.DELEGATE, false));
  }

  boolean readsByPattern(String topic) {
    Pattern pattern = container.getTopicPattern();
    return pattern != null && pattern.matcher(topic).matches();
  }

  boolean hasBytes() {
    return readable(factory.getKeyDeserializer()) && readable(factory.getValueDeserializer());
  }

  private static boolean readable(@Nullable Deserializer<?> given) {
    return given == null
        || given instanceof StringDeserializer
        || given instanceof ByteArrayDeserializer;
  }

  boolean hasReceivedBytes() {
    return faithful(factory.getKeyDeserializer()) && faithful(factory.getValueDeserializer());
  }

  /** A subclass may decrypt, and a text of another encoding would become UTF-8. */
  private static boolean faithful(@Nullable Deserializer<?> given) {
    return given == null
        || given.getClass() == ByteArrayDeserializer.class
        || GuardedDeserializer.readsUtf8(given);
  }

  /**
   * Returns how long a call may hold the consumer's thread. A third of the poll interval at most: a
   * consumer that polls too late loses its partitions. A few seconds at most: a consumer that stops
   * must not wait for a store that hangs. The time of a probe is added to these seconds.
   */
  Duration patience(Duration probing) {
    String name = ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG;
    Object given = Optional.ofNullable(effective().get(name)).orElse(STANDARD_INTERVAL_MILLIS);
    int interval = (int) ConfigDef.parseType(name, given, ConfigDef.Type.INT);
    Duration third = Duration.ofMillis(interval).dividedBy(3);
    Duration longest = LONGEST_PATIENCE.plus(probing);
    return third.compareTo(longest) < 0 ? third : longest;
  }
}
