package io.hapax.kafka;

import static io.hapax.kafka.WithReceivers.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** One real broker for all tests of this JVM; it ends with the JVM. */
final class Broker {

  private static final KafkaServer KAFKA =
      KafkaServer.start(Map.of("group.share.min.record.lock.duration.ms", "1000"));
  private static final AtomicInteger TOPICS = new AtomicInteger();
  static final Admin ADMIN = Admin.create(Map.of("bootstrap.servers", KAFKA.bootstrapServers()));
  private static final KafkaProducer<String, String> PRODUCER = sender();

  private Broker() {}

  static String bootstrapServers() {
    return KAFKA.bootstrapServers();
  }

  static String topic(int partitions) {
    return topic("topic-", partitions);
  }

  /** A topic whose name begins with a prefix. */
  static String topic(String prefix, int partitions) {
    return create(prefix + TOPICS.incrementAndGet(), partitions);
  }

  /** A topic of this name. */
  static String create(String name, int partitions) {
    KAFKA.createTopic(name, partitions);
    return name;
  }

  /** Deletes a topic and creates another one of its name, with one partition. */
  static void createAnew(String topic) throws Exception {
    ADMIN.deleteTopics(List.of(topic)).all().get(30, TimeUnit.SECONDS);
    await().until(() -> !ADMIN.listTopics().names().get(30, TimeUnit.SECONDS).contains(topic));
    KAFKA.createTopic(topic, 1);
  }

  /** With one partition and settings of its own from the beginning. */
  static String topic(Map<String, String> settings) throws Exception {
    String name = "topic-" + TOPICS.incrementAndGet();
    ADMIN
        .createTopics(List.of(new NewTopic(name, 1, (short) 1).configs(settings)))
        .all()
        .get(30, TimeUnit.SECONDS);
    await() // until the brokers know the topic, and the partition has a leader
        .ignoreExceptionsInstanceOf(ExecutionException.class)
        .until(() -> end(name, 0) == 0);
    return name;
  }

  static Map<String, Object> consumer(String group) {
    return consumer(group, Map.of());
  }

  /** Returns the properties of a consumer; further ones replace the defaults. */
  static Map<String, Object> consumer(String group, Map<String, ?> further) {
    Map<String, Object> all = new HashMap<>();
    all.put("bootstrap.servers", KAFKA.bootstrapServers());
    all.put("group.id", group);
    all.put("key.deserializer", StringDeserializer.class);
    all.put("value.deserializer", StringDeserializer.class);
    all.putAll(further);
    return all;
  }

  /** Not idempotent, because a topic of the same name may be another one. */
  private static KafkaProducer<String, String> sender() {
    return new KafkaProducer<>(producer(Map.of("enable.idempotence", false)));
  }

  static Map<String, Object> producer() {
    return producer(Map.of());
  }

  /** Returns the properties of a producer; further ones replace the defaults. */
  static Map<String, Object> producer(Map<String, ?> further) {
    Map<String, Object> all = new HashMap<>();
    all.put("bootstrap.servers", KAFKA.bootstrapServers());
    all.put("key.serializer", StringSerializer.class);
    all.put("value.serializer", StringSerializer.class);
    all.putAll(further);
    return all;
  }

  /** Sends each text as key and value to a partition. */
  static void send(String topic, int partition, String... texts) throws Exception {
    for (String text : texts) {
      send(new ProducerRecord<>(topic, partition, text, text));
    }
  }

  static void send(ProducerRecord<String, String> record) throws Exception {
    PRODUCER.send(record).get(30, TimeUnit.SECONDS);
  }

  /** Sends texts to the first partition as one batch, which one poll returns. */
  static void sendAtOnce(String topic, String... texts) {
    Map<String, Object> settings = producer(Map.of("linger.ms", "30000"));
    try (KafkaProducer<String, String> producer = new KafkaProducer<>(settings)) {
      for (String text : texts) {
        var unused = producer.send(new ProducerRecord<>(topic, 0, text, text));
      }
      producer.flush();
    }
  }

  static void sendWithoutKey(String topic, String text) throws Exception {
    send(new ProducerRecord<>(topic, text));
  }

  /** Sends a record that is above the limits of topics and producers unless it is compressed. */
  static void sendCompressed(ProducerRecord<String, String> record) throws Exception {
    Map<String, Object> settings =
        producer(Map.of("compression.type", "gzip", "max.request.size", "100000000"));
    try (KafkaProducer<String, String> producer = new KafkaProducer<>(settings)) {
      producer.send(record).get(30, TimeUnit.SECONDS);
    }
  }

  /** Text that does not become much shorter by compression. */
  static String noise(int length) {
    return new Random(17)
        .ints('0', 'z')
        .limit(length)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /** Sends texts in a transaction, and returns when its end is in the topic. */
  static void sendInTransaction(String topic, boolean commit, String... texts) {
    Map<String, Object> settings = producer(Map.of("transactional.id", "sender-to-" + topic));
    try (KafkaProducer<String, String> producer = new KafkaProducer<>(settings)) {
      producer.initTransactions();
      producer.beginTransaction();
      for (String text : texts) {
        var unused = producer.send(new ProducerRecord<>(topic, 0, text, text));
      }
      producer.flush();
      if (commit) {
        producer.commitTransaction();
      } else {
        producer.abortTransaction();
      }
    }
    // The end is acknowledged before its marker is written. A successor waits for the marker.
    try (KafkaProducer<String, String> successor = new KafkaProducer<>(settings)) {
      successor.initTransactions();
    }
  }

  /** Changes settings of a topic. */
  static void configure(String topic, Map<String, String> settings) throws Exception {
    configure(new ConfigResource(ConfigResource.Type.TOPIC, topic), settings);
  }

  /** Returns when the broker has the settings: the controller acknowledges them earlier. */
  static void configure(ConfigResource resource, Map<String, String> settings) throws Exception {
    ADMIN
        .incrementalAlterConfigs(Map.of(
            resource,
            settings.entrySet().stream()
                .map(it -> new AlterConfigOp(
                    new ConfigEntry(it.getKey(), it.getValue()), AlterConfigOp.OpType.SET))
                .toList()))
        .all()
        .get(30, TimeUnit.SECONDS);
    await().until(() -> settings(resource).entrySet().containsAll(settings.entrySet()));
  }

  private static Map<String, String> settings(ConfigResource resource) throws Exception {
    Map<String, String> settings = new HashMap<>();
    ADMIN
        .describeConfigs(List.of(resource))
        .all()
        .get(30, TimeUnit.SECONDS)
        .values()
        .forEach(it -> it.entries().forEach(entry -> settings.put(entry.name(), entry.value())));
    return settings;
  }

  /** The client ids of the members of a group that have partitions. */
  static List<String> owners(String group) throws Exception {
    return ADMIN
        .describeConsumerGroups(List.of(group))
        .all()
        .get(30, TimeUnit.SECONDS)
        .values()
        .stream()
        .flatMap(it -> it.members().stream())
        .filter(member -> !member.assignment().topicPartitions().isEmpty())
        .map(MemberDescription::clientId)
        .toList();
  }

  /** Commits an offset for a group without members. */
  static void commit(String group, String topic, int partition, long offset) {
    try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(consumer(group))) {
      consumer.commitSync(
          Map.of(new TopicPartition(topic, partition), new OffsetAndMetadata(offset)));
    }
  }

  /** The committed offset of a partition, -1 if there is none. */
  static long committed(String group, String topic, int partition) throws Exception {
    var offsets = ADMIN
        .listConsumerGroupOffsets(group)
        .partitionsToOffsetAndMetadata()
        .get(30, TimeUnit.SECONDS);
    return Optional.ofNullable(offsets.get(new TopicPartition(topic, partition)))
        .map(it -> it.offset())
        .orElse(-1L);
  }

  /** The end of a partition, after records of open transactions too. */
  static long end(String topic, int partition) throws Exception {
    return end(topic, partition, IsolationLevel.READ_UNCOMMITTED);
  }

  private static long end(String topic, int partition, IsolationLevel level) throws Exception {
    TopicPartition it = new TopicPartition(topic, partition);
    return ADMIN
        .listOffsets(Map.of(it, OffsetSpec.latest()), new ListOffsetsOptions(level))
        .partitionResult(it)
        .get(30, TimeUnit.SECONDS)
        .offset();
  }

  /** All records of partition 0 of a topic, also aborted ones. */
  static List<ConsumerRecord<String, String>> read(String topic) {
    return read(topic, consumer("nobody"));
  }

  /**
   * All records of partition 0 of a topic that were committed, once no transaction is open. The
   * offset of a transaction may be committed a little earlier than its records.
   */
  static List<ConsumerRecord<String, String>> readCommitted(String topic) {
    await().until(() -> end(topic, 0, IsolationLevel.READ_COMMITTED) == end(topic, 0));
    return read(topic, consumer("nobody", Map.of("isolation.level", "read_committed")));
  }

  /** Returns the records of a topic, with keys and values as bytes. */
  static List<ConsumerRecord<byte[], byte[]>> readBytes(String topic) {
    Class<?> bytes = ByteArrayDeserializer.class;
    return read(
        topic, consumer("nobody", Map.of("key.deserializer", bytes, "value.deserializer", bytes)));
  }

  private static <V> List<ConsumerRecord<V, V>> read(String topic, Map<String, Object> settings) {
    try (KafkaConsumer<V, V> consumer = new KafkaConsumer<>(settings)) {
      TopicPartition it = new TopicPartition(topic, 0);
      consumer.assign(List.of(it));
      consumer.seekToBeginning(List.of(it));
      long end = consumer.endOffsets(List.of(it)).getOrDefault(it, -1L);
      List<ConsumerRecord<V, V>> records = new ArrayList<>();
      while (consumer.position(it) < end) {
        consumer.poll(Duration.ofMillis(100)).forEach(records::add);
      }
      return records;
    }
  }
}
