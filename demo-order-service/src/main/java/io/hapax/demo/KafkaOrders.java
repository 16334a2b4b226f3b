package io.hapax.demo;

import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import io.hapax.health.PartitionStatus;
import io.hapax.health.Problem;
import io.hapax.kafka.KafkaDeadLetterPublisher;
import io.hapax.kafka.KafkaFingerprints;
import io.hapax.kafka.KafkaIds;
import io.hapax.kafka.KafkaReceiver;
import io.hapax.kafka.ProcessingOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Orders or events on Kafka. Orders that fail for good go to the topic {@code <topic>.dead}. */
public final class KafkaOrders implements OrderChannel<ConsumerRecord<String, byte[]>> {

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long TICK_MILLIS = 50;

  private final ServiceSettings.Channel channel;
  private final Content content;
  private final Map<String, Object> more;
  private final String deadTopic;
  private Optional<KafkaDeadLetterPublisher<String, byte[]>> deadLetters = Optional.empty();

  public KafkaOrders(ServiceSettings.Channel channel, Content content, Map<String, Object> more) {
    this.channel = channel;
    this.content = content;
    this.more = Map.copyOf(more);
    this.deadTopic = channel.topic() + ".dead";
  }

  @Override
  public void create(int partitions) throws BrokerException, InterruptedException {
    try (Admin admin = Admin.create(address())) {
      create(admin, channel.topic(), partitions);
      if (content == Content.ORDERS) {
        create(admin, deadTopic, 1);
      }
    }
  }

  /** Creates a missing topic with the broker's default replicas. Each broker knows it then. */
  private static void create(Admin admin, String topic, int partitions)
      throws BrokerException, InterruptedException {
    NewTopic wanted = new NewTopic(topic, Optional.of(partitions), Optional.empty());
    try {
      admin.createTopics(List.of(wanted)).all().get();
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw new BrokerException("Kafka did not create topic " + topic, e);
      }
    }
    long begin = System.nanoTime();
    while (!isKnown(admin, topic)) {
      if (System.nanoTime() - begin > PATIENCE_NANOS) {
        throw new BrokerException("Kafka does not know topic " + topic + ", which it has created");
      }
      TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
    }
  }

  /** Returns whether the broker knows the topic: it may learn of it later than its controller. */
  private static boolean isKnown(Admin admin, String topic)
      throws BrokerException, InterruptedException {
    try {
      return !admin.describeTopics(List.of(topic)).allTopicNames().get().isEmpty();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return false;
      }
      throw new BrokerException("Kafka did not describe topic " + topic, e);
    }
  }

  @Override
  public void send(List<Message> messages) throws BrokerException, InterruptedException {
    try (var producer =
        new KafkaProducer<>(address(), new StringSerializer(), new ByteArraySerializer())) {
      List<Future<?>> sent = new ArrayList<>();
      for (Message message : messages) {
        var record =
            new ProducerRecord<>(channel.topic(), message.key(), message.body().toByteArray());
        record.headers().add(content.id, message.id().getBytes(StandardCharsets.UTF_8));
        sent.add(producer.send(record));
      }
      for (Future<?> acknowledged : sent) {
        acknowledged.get();
      }
    } catch (ExecutionException e) {
      throw new BrokerException("Kafka did not take a message for " + channel.topic(), e);
    }
  }

  @Override
  public ReceiverBuilder<ConsumerRecord<String, byte[]>> receiver() {
    ReceiverBuilder<ConsumerRecord<String, byte[]>> builder =
        IdempotentReceiver.<ConsumerRecord<String, byte[]>>builder(channel.group())
            .id(KafkaIds.header(content.id))
            .fingerprint(KafkaFingerprints.value());
    if (content == Content.EVENTS) {
      return builder;
    }
    deadLetters = Optional.of(KafkaDeadLetterPublisher.to(
        deadTopic,
        Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, channel.address(),
            ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class,
            ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class)));
    return builder.deadLetters(deadLetters.orElseThrow());
  }

  @Override
  public byte[] body(ConsumerRecord<String, byte[]> message) {
    return message.value();
  }

  @Override
  public Subscription read(IdempotentReceiver<ConsumerRecord<String, byte[]>> receiver) {
    KafkaReceiver.Builder<String, byte[]> builder =
        KafkaReceiver.builder(receiver, properties()).topics(List.of(channel.topic()));
    return new KafkaSubscription(
        (content == Content.EVENTS ? builder.order(ProcessingOrder.NONE) : builder).start());
  }

  public String topic() {
    return channel.topic();
  }

  public Map<String, Object> properties() {
    Map<String, Object> properties = new HashMap<>(more);
    properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, channel.address());
    properties.put(ConsumerConfig.GROUP_ID_CONFIG, channel.group());
    properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
    properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    return properties;
  }

  private Map<String, Object> address() {
    return Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, channel.address());
  }

  @Override
  public void close() {
    deadLetters.ifPresent(KafkaDeadLetterPublisher::close);
  }

  private record KafkaSubscription(KafkaReceiver<String, byte[]> receiver) implements Subscription {

    @Override
    public List<Problem> problems() {
      return receiver.problems();
    }

    @Override
    public Optional<List<PartitionStatus>> partitions() {
      return Optional.of(receiver.partitions());
    }

    @Override
    public void mustRun() throws BrokerException {
      if (receiver.state() == KafkaReceiver.State.DOWN) {
        throw new BrokerException(
            "the Kafka receiver is down", receiver.failure().orElse(null));
      }
    }

    @Override
    public void close() {
      receiver.close();
    }
  }
}
