package io.hapax.chaos;

import io.hapax.demo.BrokerException;
import io.hapax.demo.OrderChannel;
import io.hapax.kafka.KafkaFingerprints;
import io.hapax.kafka.KafkaIds;
import io.hapax.operations.Broker;
import io.hapax.operations.audit.AuditSettings;
import io.hapax.operations.kafka.KafkaOperations;
import io.hapax.servers.LocalKafka;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Kafka, with a topic whose messages are keyed by customer. */
final class KafkaOrderBroker extends OrderBroker {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaOrderBroker.class);
  private static final Duration POLL = Duration.ofMillis(100);

  private final GroupPlan group;
  private final Map<String, Object> client;
  private final Admin admin;

  private KafkaOrderBroker(LocalKafka server, GroupPlan group) {
    super(server, "Kafka", OrderChannel.DEAD_TOPIC);
    this.group = group;
    this.client = Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, server.bootstrapServers());
    this.admin = Admin.create(client);
  }

  /** Starts a broker with an empty topic for this group. Both protocols wait equally long. */
  static KafkaOrderBroker start(GroupPlan group) {
    LocalKafka server = LocalKafka.builder()
        .setting("group.consumer.session.timeout.ms", Long.toString(GroupPlan.SESSION.toMillis()))
        .start();
    try {
      server.createTopic(OrderChannel.TOPIC, group.partitions());
      server.createTopic(OrderChannel.DEAD_TOPIC, 1);
      return new KafkaOrderBroker(server, group);
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  @Override
  String address() {
    return String.valueOf(client.get(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG));
  }

  @Override
  String waits() {
    return "session timeout " + GroupPlan.SESSION.toSeconds() + " s (production 45 s), "
        + group.partitions() + " partitions, protocol " + group.protocol();
  }

  @Override
  Duration memberTimeout() {
    return GroupPlan.SESSION;
  }

  @Override
  void publish(List<Posting> postings) throws BrokerException, InterruptedException {
    Map<String, Object> properties = new HashMap<>(client);
    properties.put(ProducerConfig.LINGER_MS_CONFIG, 20);
    try (KafkaProducer<String, byte[]> producer =
        new KafkaProducer<>(properties, new StringSerializer(), new ByteArraySerializer())) {
      var sent =
          postings.stream().map(posting -> producer.send(record(posting))).toList();
      for (int i = 0; i < sent.size(); i++) {
        RecordMetadata at = answer("publish an order", sent.get(i));
        String order = postings.get(i).order().id();
        stored(new StoredMessage(order, at.toString(), at.partition(), at.offset()));
      }
    }
  }

  private static ProducerRecord<String, byte[]> record(Posting posting) {
    var record =
        new ProducerRecord<>(OrderChannel.TOPIC, posting.order().customer(), posting.body());
    posting
        .id()
        .ifPresent(
            id -> record.headers().add(OrderChannel.ID, id.getBytes(StandardCharsets.UTF_8)));
    return record;
  }

  @Override
  long lag(String name) throws BrokerException, InterruptedException {
    Map<Integer, Long> committed = committed(name);
    Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
    for (int number = 0; number < group.partitions(); number++) {
      latest.put(new TopicPartition(OrderChannel.TOPIC, number), OffsetSpec.latest());
    }
    var ends = answer("return the end of the topic", admin.listOffsets(latest).all());
    return ends.entrySet().stream()
        .mapToLong(
            end -> end.getValue().offset() - committed.getOrDefault(end.getKey().partition(), 0L))
        .sum();
  }

  @Override
  Map<Integer, Long> committed(String name) throws BrokerException, InterruptedException {
    var offsets = answer(
        "return the group's offsets",
        admin.listConsumerGroupOffsets(name).partitionsToOffsetAndMetadata());
    Map<Integer, Long> committed = new HashMap<>();
    offsets.forEach((partition, at) -> {
      if (partition.topic().equals(OrderChannel.TOPIC) && at != null) {
        committed.put(partition.partition(), at.offset());
      }
    });
    return committed;
  }

  @Override
  List<DeadOrder> deadLetters() {
    List<TopicPartition> all = List.of(new TopicPartition(OrderChannel.DEAD_TOPIC, 0));
    try (KafkaConsumer<String, byte[]> consumer =
        new KafkaConsumer<>(client, new StringDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(all);
      consumer.seekToBeginning(all);
      long end = consumer.endOffsets(all).getOrDefault(all.get(0), 0L);
      List<DeadOrder> dead = new ArrayList<>();
      while (consumer.position(all.get(0)) < end) {
        consumer.poll(POLL).forEach(record -> dead.add(dead(record)));
      }
      return dead;
    }
  }

  private static DeadOrder dead(ConsumerRecord<String, byte[]> record) {
    return DeadOrder.of(
        record.value(),
        name -> Optional.ofNullable(record.headers().lastHeader(name))
            .map(header -> new String(header.value(), StandardCharsets.UTF_8)));
  }

  @Override
  Broker operations(MarkIds ids) {
    AuditSettings<ConsumerRecord<String, byte[]>> settings = AuditSettings.of(
        HapaxConsumer.NAME,
        ids.extractor(ConsumerRecord::topic, KafkaIds.header(OrderChannel.ID)),
        KafkaFingerprints.value());
    return KafkaOperations.of(
            settings, client, new StringDeserializer(), new ByteArrayDeserializer())
        .withPatience(Duration.ofMinutes(1));
  }

  @Override
  boolean isComplete(int members) throws InterruptedException {
    try {
      ConsumerGroupDescription now = Objects.requireNonNull(admin
              .describeConsumerGroups(List.of(OrderChannel.GROUP))
              .describedGroups()
              .get(OrderChannel.GROUP))
          .get();
      return now.groupState() == GroupState.STABLE
          && now.members().size() == members
          && now.members().stream()
              .noneMatch(member -> member.assignment().topicPartitions().isEmpty());
    } catch (ExecutionException e) {
      LOG.debug("the group cannot be described yet", e);
      return false;
    }
  }

  private static <A> A answer(String request, Future<A> future)
      throws BrokerException, InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new BrokerException("Kafka did not " + request, e);
    }
  }

  @Override
  public void close() {
    admin.close();
    super.close();
  }
}
