package io.hapax.operations.kafka;

import static org.awaitility.Awaitility.await;

import io.hapax.DeadLetter;
import io.hapax.IdempotentReceiver;
import io.hapax.kafka.KafkaDeadLetterPublisher;
import io.hapax.kafka.KafkaFingerprints;
import io.hapax.kafka.KafkaIds;
import io.hapax.kafka.KafkaReceiver;
import io.hapax.operations.TestBroker;
import io.hapax.operations.audit.AuditSettings;
import io.hapax.servers.LocalKafka;
import io.hapax.store.DedupStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConsumerGroupListing;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** One real Kafka broker for all tests of this JVM; it ends with the JVM. */
public final class KafkaTestBroker implements TestBroker {

  public static final KafkaTestBroker INSTANCE = new KafkaTestBroker();

  static final AuditSettings<ConsumerRecord<String, String>> SETTINGS =
      AuditSettings.of("orders", KafkaIds.key(), KafkaFingerprints.value());

  private final LocalKafka kafka = LocalKafka.start();
  private final AtomicInteger numbers = new AtomicInteger();

  /** Returns the answer of the broker. */
  private <T> T ask(Function<Admin, KafkaFuture<T>> question) throws Exception {
    try (Admin admin = Admin.create(client())) {
      return question.apply(admin).get(30, TimeUnit.SECONDS);
    }
  }

  Map<String, Object> client() {
    return Map.of("bootstrap.servers", kafka.bootstrapServers());
  }

  KafkaOperations<String, String> operations(Map<String, Object> more) {
    Map<String, Object> properties = new HashMap<>(client());
    properties.put("group.id", "not-to-be-joined");
    properties.putAll(more);
    return KafkaOperations.of(
        SETTINGS, properties, new StringDeserializer(), new StringDeserializer());
  }

  @Override
  public KafkaOperations<String, String> operations() {
    return operations(Map.of());
  }

  private Map<String, Object> consumer(String group) {
    Map<String, Object> properties = new HashMap<>(client());
    properties.put("group.id", group);
    properties.put("auto.offset.reset", "earliest");
    properties.put("key.deserializer", StringDeserializer.class);
    properties.put("value.deserializer", StringDeserializer.class);
    return properties;
  }

  Map<String, Object> producer() {
    Map<String, Object> properties = new HashMap<>(client());
    properties.put("key.serializer", StringSerializer.class);
    properties.put("value.serializer", StringSerializer.class);
    properties.put("max.request.size", 100_000_000);
    return properties;
  }

  @Override
  public String topic(int parts) {
    String name = "topic-" + numbers.incrementAndGet();
    kafka.createTopic(name, parts);
    return name;
  }

  @Override
  public String place(String topic, int part) {
    return topic + "-" + part;
  }

  @Override
  public void send(String topic, int part, List<Sent> messages) throws Exception {
    for (Sent message : messages) {
      send(record(topic, part, message));
    }
  }

  void send(ProducerRecord<String, String> record) throws Exception {
    try (KafkaProducer<String, String> producer = new KafkaProducer<>(producer())) {
      producer.send(record).get(30, TimeUnit.SECONDS);
    }
  }

  @SuppressWarnings("NullAway") // a record may have no key
  private static ProducerRecord<String, String> record(String topic, int part, Sent message) {
    String key = message.id().isEmpty() ? null : message.id();
    ProducerRecord<String, String> record = new ProducerRecord<>(topic, part, key, message.body());
    message
        .headers()
        .forEach((name, text) -> record.headers().add(name, text.getBytes(StandardCharsets.UTF_8)));
    return record;
  }

  @Override
  public List<Sent> read(String topic, int part) {
    List<Sent> all = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(consumer("group-of-nobody"))) {
      TopicPartition it = new TopicPartition(topic, part);
      consumer.assign(List.of(it));
      consumer.seekToBeginning(List.of(it));
      long end = consumer.endOffsets(List.of(it)).getOrDefault(it, 0L);
      while (consumer.position(it) < end) {
        consumer.poll(Duration.ofMillis(100)).forEach(record -> all.add(sent(record)));
      }
    }
    return all;
  }

  private static Sent sent(ConsumerRecord<String, String> record) {
    Map<String, String> headers = Arrays.stream(record.headers().toArray())
        .collect(Collectors.toMap(
            Header::key,
            header -> new String(header.value(), StandardCharsets.UTF_8),
            (first, last) -> last));
    return new Sent(Optional.ofNullable(record.key()).orElse(""), record.value(), headers);
  }

  @Override
  public AutoCloseable service(
      String topic, String group, DedupStore store, Consumer<String> effects) {
    IdempotentReceiver<ConsumerRecord<String, String>> receiver =
        IdempotentReceiver.<ConsumerRecord<String, String>>builder("orders")
            .id(KafkaIds.key())
            .fingerprint(KafkaFingerprints.value())
            .deadLetters(letter -> {})
            .leased(store, delivery -> effects.accept(delivery.message().value()));
    KafkaReceiver<String, String> running =
        KafkaReceiver.start(receiver, consumer(group), List.of(topic));
    return () -> {
      running.close();
      receiver.close();
    };
  }

  @Override
  public String group() throws Exception {
    String group = "group-" + numbers.incrementAndGet();
    commit(group, topic(1), 0, 0); // a group without an offset is none
    return group;
  }

  @Override
  public void commit(String group, String topic, int part, long offset) {
    try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(consumer(group))) {
      consumer.commitSync(Map.of(new TopicPartition(topic, part), new OffsetAndMetadata(offset)));
    }
  }

  @Override
  public long committed(String group, String topic, int part) throws Exception {
    return Optional.ofNullable(
            ask(admin -> admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata())
                .get(new TopicPartition(topic, part)))
        .map(OffsetAndMetadata::offset)
        .orElse(-1L);
  }

  @Override
  @SuppressWarnings("removal") // what replaces it is missing in kafka-clients before 4.0
  public Set<String> groups() throws Exception {
    return ask(admin -> admin.listConsumerGroups().all()).stream()
        .map(ConsumerGroupListing::groupId)
        .filter(name -> !name.startsWith("group-"))
        .collect(Collectors.toSet());
  }

  @Override
  public void bury(
      String letters, DeadLetter<Sent> letter, String topic, Map<String, String> headers)
      throws Exception {
    ProducerRecord<String, String> record = record(topic, 0, letter.message());
    headers.forEach(
        (name, text) -> record.headers().add(name, text.getBytes(StandardCharsets.UTF_8)));
    ConsumerRecord<String, String> died = new ConsumerRecord<>(
        topic,
        0,
        0,
        System.currentTimeMillis(),
        TimestampType.CREATE_TIME,
        -1,
        -1,
        record.key(),
        record.value(),
        record.headers(),
        Optional.empty());
    try (var publisher = KafkaDeadLetterPublisher.<String, String>to(letters, producer())) {
      publisher.publish(TestBroker.of(died, letter));
    }
  }

  @Override
  public void delete(String topic) throws Exception {
    ask(admin -> admin.deleteTopics(List.of(topic)).all());
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> !ask(admin -> admin.listTopics().names()).contains(topic));
  }

  @Override
  public void refuse(String topic, boolean refused) throws Exception {
    configure(topic, "max.message.bytes", refused ? "1" : "1000000");
  }

  /** Returns when the broker has the setting: the controller acknowledges it earlier. */
  void configure(String topic, String name, String value) throws Exception {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    AlterConfigOp change =
        new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET);
    ask(admin ->
        admin.incrementalAlterConfigs(Map.of(resource, List.of(change))).all());
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> ask(admin -> admin.describeConfigs(List.of(resource)).all()).values().stream()
            .allMatch(config -> value.equals(config.get(name).value())));
  }

  void deleteBefore(String topic, int part, long offset) throws Exception {
    ask(admin -> admin
        .deleteRecords(
            Map.of(new TopicPartition(topic, part), RecordsToDelete.beforeOffset(offset)))
        .all());
  }
}
