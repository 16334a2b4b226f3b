package io.hapax.chaos;

import io.hapax.demo.BrokerException;
import io.hapax.demo.OrderChannel;
import io.hapax.kafka.KafkaFingerprints;
import io.hapax.kafka.KafkaIds;
import io.hapax.operations.audit.AuditReport;
import io.hapax.operations.audit.AuditSettings;
import io.hapax.operations.kafka.KafkaOperations;
import io.hapax.operations.topic.AuditProgress;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import io.hapax.servers.LocalKafka;
import io.hapax.store.DedupStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
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
final class KafkaBroker implements OrderBroker {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaBroker.class);

  private final LocalKafka server;
  private final GroupPlan group;
  private final Admin admin;
  private final Positions positions = new Positions();

  private KafkaBroker(LocalKafka server, GroupPlan group) {
    this.server = server;
    this.group = group;
    this.admin =
        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, server.bootstrapServers()));
  }

  /** Starts a broker with an empty topic for this group. Both protocols wait equally long. */
  static KafkaBroker start(GroupPlan group) {
    LocalKafka server = LocalKafka.builder()
        .setting("group.consumer.session.timeout.ms", Long.toString(KafkaTuning.SESSION.toMillis()))
        .start();
    try {
      server.createTopic(OrderChannel.TOPIC, group.partitions());
      server.createTopic(KafkaDeadTopic.NAME, 1);
      return new KafkaBroker(server, group);
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  @Override
  public String address() {
    return server.bootstrapServers();
  }

  @Override
  public String waits() {
    return "session timeout " + KafkaTuning.SESSION.toSeconds() + " s (production 45 s), "
        + group.partitions() + " partitions, protocol " + group.protocol();
  }

  @Override
  public Duration memberTimeout() {
    return KafkaTuning.SESSION;
  }

  @Override
  public void publish(List<Posting> postings) throws BrokerException, InterruptedException {
    Map<String, Object> properties = Map.of(
        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
        address(),
        ProducerConfig.LINGER_MS_CONFIG,
        20,
        ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
        StringSerializer.class,
        ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
        ByteArraySerializer.class);
    try (KafkaProducer<String, byte[]> producer = new KafkaProducer<>(properties)) {
      var sent =
          postings.stream().map(posting -> producer.send(record(posting))).toList();
      for (int i = 0; i < sent.size(); i++) {
        RecordMetadata stored = answer("publish an order", sent.get(i));
        positions.add(
            new StoredMessage(postings.get(i).order().id(), stored.toString()),
            stored.partition(),
            stored.offset());
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
  public long lag() throws BrokerException, InterruptedException {
    Map<Integer, Long> committed = committed();
    var ends = answer(
        "return the end of the topic",
        admin
            .listOffsets(partitions().stream()
                .collect(
                    Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest())))
            .all());
    long lag = 0;
    for (Map.Entry<TopicPartition, ListOffsetsResultInfo> end : ends.entrySet()) {
      lag += end.getValue().offset() - committed.getOrDefault(end.getKey().partition(), 0L);
    }
    return lag;
  }

  /** Returns the offsets by partition. A partition without a committed offset is missing. */
  private Map<Integer, Long> committed() throws BrokerException, InterruptedException {
    var offsets = answer(
        "return the group's offsets",
        admin.listConsumerGroupOffsets(OrderChannel.GROUP).partitionsToOffsetAndMetadata());
    Map<Integer, Long> committed = new HashMap<>();
    offsets.forEach((partition, at) -> {
      if (partition.topic().equals(OrderChannel.TOPIC) && at != null) {
        committed.put(partition.partition(), at.offset());
      }
    });
    return committed;
  }

  @Override
  public List<StoredMessage> acknowledged() throws BrokerException, InterruptedException {
    return positions.before(committed());
  }

  @Override
  public List<DeadOrder> deadLetters() {
    return KafkaDeadTopic.read(address());
  }

  @Override
  public void rewind() throws BrokerException, InterruptedException {
    rewind(OrderChannel.GROUP);
  }

  /** Resets a group to the beginning. It must have no member. */
  void rewind(String name) throws BrokerException, InterruptedException {
    answer(
        "reset the group",
        admin
            .alterConsumerGroupOffsets(
                name,
                partitions().stream()
                    .collect(Collectors.toMap(
                        partition -> partition, partition -> new OffsetAndMetadata(0))))
            .all());
  }

  @Override
  public AuditReport audit(DedupStore marks, MarkIds ids) throws InterruptedException {
    AuditSettings<ConsumerRecord<String, byte[]>> settings = AuditSettings.of(
        HapaxConsumer.NAME,
        ids.extractor(ConsumerRecord::topic, KafkaIds.header(OrderChannel.ID)),
        KafkaFingerprints.value());
    Map<String, Object> client = Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, address());
    return KafkaOperations.of(
            settings, client, new StringDeserializer(), new ByteArrayDeserializer())
        .withPatience(Duration.ofMinutes(1))
        .audit(marks, AuditProgress.NONE)
        .run(TopicPart.all(OrderChannel.TOPIC), StartingPoint.beginning());
  }

  @Override
  public boolean isComplete(int members) throws InterruptedException {
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

  private List<TopicPartition> partitions() {
    return IntStream.range(0, group.partitions())
        .mapToObj(number -> new TopicPartition(OrderChannel.TOPIC, number))
        .toList();
  }

  @Override
  public void restart() {
    server.kill();
    server.restart();
  }

  @Override
  public void close() {
    admin.close();
    server.close();
  }
}
