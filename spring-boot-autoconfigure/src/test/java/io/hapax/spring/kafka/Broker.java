package io.hapax.spring.kafka;

import io.hapax.health.Problem;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.servers.LocalKafka;
import io.hapax.spring.transaction.TestDatabase;
import io.hapax.store.InMemoryDedupStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.util.StringUtils;

/** One real broker for all tests of this JVM, and applications that use it. */
public final class Broker {

  private static final LocalKafka KAFKA = LocalKafka.start();
  private static final Admin ADMIN =
      Admin.create(Map.of("bootstrap.servers", KAFKA.bootstrapServers()));
  private static final AtomicInteger TOPICS = new AtomicInteger();
  private static final KafkaProducer<String, String> PRODUCER = new KafkaProducer<>(
      Map.of("bootstrap.servers", KAFKA.bootstrapServers(), "linger.ms", "0"),
      new StringSerializer(),
      new StringSerializer());

  static { // longer than the session of a consumer that has left its group without a word
    Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
  }

  private Broker() {}

  /** Returns the addresses of the broker. */
  public static String servers() {
    return KAFKA.bootstrapServers();
  }

  /** Creates a topic with a name of its own. */
  public static String topic(int partitions) {
    String name = "orders-" + TOPICS.incrementAndGet();
    KAFKA.createTopic(name, partitions);
    return name;
  }

  /** Creates a topic with one partition. */
  public static void createTopic(String name) {
    createTopic(name, 1);
  }

  static void createTopic(String name, int partitions) {
    KAFKA.createTopic(name, partitions);
  }

  /** Creates a topic that keeps its records for ever. */
  static void createEndlessTopic(String name) {
    NewTopic topic = new NewTopic(name, 1, (short) 1).configs(Map.of("retention.ms", "-1"));
    answerOf(ADMIN.createTopics(List.of(topic)).all());
  }

  private static <T> T answerOf(Future<T> call) {
    try {
      return call.get(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Starts an application whose listeners read the topic {@code ${orders}}. */
  static ConfigurableApplicationContext start(
      Class<?> application, String topic, String... properties) {
    List<String> all = new ArrayList<>(List.of(
        "orders=" + topic,
        "spring.kafka.bootstrap-servers=" + KAFKA.bootstrapServers(),
        "spring.kafka.consumer.auto-offset-reset=earliest",
        "spring.kafka.listener.poll-timeout=200ms",
        "spring.main.banner-mode=off",
        "hapax.consumers.billing.first-backoff=50ms"));
    all.addAll(Arrays.asList(properties));
    return new SpringApplicationBuilder(application)
        .web(WebApplicationType.NONE)
        .properties(all.toArray(String[]::new))
        .run();
  }

  /** Starts an application whose effects and marks are in the database of this JVM. */
  static ConfigurableApplicationContext startWithDatabase(
      Class<?> application, String topic, String... properties) {
    return start(
        application,
        topic,
        StringUtils.concatenateStringArrays(
            TestDatabase.POSTGRES.access().properties(), properties));
  }

  /** Returns the container of a listener. */
  @SuppressWarnings("unchecked") // Boot makes this container
  static ConcurrentMessageListenerContainer<Object, Object> container(
      ConfigurableApplicationContext app, String id) {
    return (ConcurrentMessageListenerContainer<Object, Object>) Objects.requireNonNull(
        app.getBean(KafkaListenerEndpointRegistry.class).getListenerContainer(id));
  }

  /** Returns the problems of the containers of billing. */
  static List<Problem> problems(ConfigurableApplicationContext app) {
    return app.getBean(IdempotentListeners.class)
        .problemsByName()
        .getOrDefault("billing", List.of());
  }

  /** Runs an application until its group has committed that many records of partition 0. */
  static void handle(Class<?> application, String topic, long records, String... properties) {
    try (ConfigurableApplicationContext app = start(application, topic, properties)) {
      Awaitility.await().until(() -> committed("billing", topic, 0) == records);
    }
  }

  /** Sends a record, with headers as {@code name=value}. */
  public static void send(
      String topic, int partition, String key, String value, String... headers) {
    ProducerRecord<String, String> record = new ProducerRecord<>(topic, partition, key, value);
    for (String header : headers) {
      int end = header.indexOf('=');
      record
          .headers()
          .add(
              header.substring(0, end), header.substring(end + 1).getBytes(StandardCharsets.UTF_8));
    }
    answerOf(PRODUCER.send(record));
  }

  /** Sends texts as keys and values, with a type, in one batch, which one poll returns. */
  static void sendAtOnce(String topic, String... texts) {
    StringSerializer text = new StringSerializer();
    try (KafkaProducer<String, String> producer = new KafkaProducer<>(
        Map.of("bootstrap.servers", KAFKA.bootstrapServers(), "linger.ms", "30000"), text, text)) {
      for (String each : texts) {
        ProducerRecord<String, String> record = new ProducerRecord<>(topic, 0, each, each);
        record.headers().add("type", new byte[] {1});
        var unused = producer.send(record);
      }
      producer.flush();
    }
  }

  /** Sends a record of bytes, with headers. */
  static void send(String topic, byte @Nullable [] key, byte[] value, Header... headers) {
    ByteArraySerializer bytes = new ByteArraySerializer();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(Map.of("bootstrap.servers", KAFKA.bootstrapServers()), bytes, bytes)) {
      answerOf(producer.send(new ProducerRecord<>(topic, 0, key, value, List.of(headers))));
    }
  }

  /** Returns the offset that a group has committed; 0 without one. */
  public static long committed(String group, String topic, int partition) {
    OffsetAndMetadata offset = answerOf(
            ADMIN.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata())
        .get(new TopicPartition(topic, partition));
    return offset == null ? 0 : offset.offset();
  }

  /** Waits until the group billing has committed all records of a topic. */
  static void awaitCommitted(String topic, int partitions) {
    Awaitility.await()
        .until(() -> IntStream.range(0, partitions)
            .allMatch(each -> committed("billing", topic, each) == end(topic, each)));
  }

  /** Returns the offset behind the last record of a partition. */
  static long end(String topic, int partition) {
    TopicPartition place = new TopicPartition(topic, partition);
    return answerOf(ADMIN.listOffsets(Map.of(place, OffsetSpec.latest())).partitionResult(place))
        .offset();
  }

  /** Waits for a record in a topic's partition 0. */
  public static ConsumerRecord<String, String> read(
      String topic, Predicate<ConsumerRecord<String, String>> wanted) {
    return read(topic, new StringDeserializer(), wanted);
  }

  /** Waits for the first record of bytes in a topic's partition 0. */
  static ConsumerRecord<byte[], byte[]> readBytes(String topic) {
    return read(topic, new ByteArrayDeserializer(), record -> true);
  }

  private static <T> ConsumerRecord<T, T> read(
      String topic, Deserializer<T> deserializer, Predicate<ConsumerRecord<T, T>> wanted) {
    try (KafkaConsumer<T, T> consumer = fromBeginning(topic, deserializer)) {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (System.nanoTime() - deadline < 0) {
        for (ConsumerRecord<T, T> record : consumer.poll(Duration.ofMillis(100))) {
          if (wanted.test(record)) {
            return record;
          }
        }
      }
      throw new AssertionError("no such record in " + topic);
    }
  }

  /** Returns the values of the committed records in a topic's partition 0. */
  static List<String> committedValues(String topic) {
    List<String> values = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer = fromBeginning(topic, new StringDeserializer())) {
      long end = end(topic, 0);
      while (consumer.position(new TopicPartition(topic, 0)) < end) {
        consumer.poll(Duration.ofMillis(100)).forEach(record -> values.add(record.value()));
      }
    }
    return values;
  }

  private static <T> KafkaConsumer<T, T> fromBeginning(String topic, Deserializer<T> deserializer) {
    KafkaConsumer<T, T> consumer = new KafkaConsumer<>(
        Map.of("bootstrap.servers", KAFKA.bootstrapServers(), "isolation.level", "read_committed"),
        deserializer,
        deserializer);
    consumer.assign(List.of(new TopicPartition(topic, 0)));
    consumer.seekToBeginning(consumer.assignment());
    return consumer;
  }

  /**
   * Claims a message as another consumer would, which then dies. Waits before until the application
   * reads the topic: the lease could end while the group still forms.
   */
  static void claimElsewhere(
      ConfigurableApplicationContext app, String topic, String id, Duration lease) {
    ClaimRequest request = new ClaimRequest(
        MessageKey.of("billing", Bytes.utf8(topic + "/" + id)),
        new Nonce(7, 7),
        Fingerprint.NONE,
        new Origin("elsewhere", ""),
        new ClaimTerms(true, true, ClaimTerms.ANY_TIME));
    Awaitility.await().until(() -> reads(app, new TopicPartition(topic, 0)));
    app.getBean(InMemoryDedupStore.class).claim(List.of(request), lease);
  }

  private static boolean reads(ConfigurableApplicationContext app, TopicPartition partition) {
    return app.getBean(KafkaListenerEndpointRegistry.class).getListenerContainers().stream()
        .anyMatch(container -> container.getAssignedPartitions().contains(partition));
  }
}
