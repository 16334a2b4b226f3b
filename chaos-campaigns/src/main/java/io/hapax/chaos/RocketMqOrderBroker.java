package io.hapax.chaos;

import io.hapax.demo.BrokerException;
import io.hapax.demo.OrderChannel;
import io.hapax.demo.scene.RocketMqClients;
import io.hapax.operations.Broker;
import io.hapax.operations.audit.AuditSettings;
import io.hapax.operations.rocketmq.RocketMqOperations;
import io.hapax.rocketmq.RocketMqFingerprints;
import io.hapax.rocketmq.RocketMqIds;
import io.hapax.servers.LocalRocketMq;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageClientIDSetter;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageExt;

/**
 * RocketMQ, with a topic whose messages are in the queue of their customer.
 *
 * <p>A message of the group is in one of three places: in its queue, in the broker's schedule while
 * a copy of it waits for a retry, or in the group's retry topic. A retry may return it to the
 * schedule. The client moves its offset when the broker has stored the copy, and the broker counts
 * the copy as delivered when it is in the retry topic. So no message is missed if the places are
 * read in this sequence.
 */
final class RocketMqOrderBroker extends OrderBroker {

  /** The settings of {@link LocalRocketMq}. */
  private static final Duration CLIENT_EXPIRY = Duration.ofSeconds(5);

  private static final Duration LOCK_LIFE = Duration.ofSeconds(5);

  private static final Duration SCAN = Duration.ofSeconds(10);

  private static final int AT_ONCE = 100;
  private static final int SEND_MILLIS = 20_000;

  /** The retry topic and the dead-letter topic have one queue. */
  private static final String RETRY = "%RETRY%";

  private static final String RETRY_TOPIC = RETRY + OrderChannel.GROUP;

  private static final String DEAD_TOPIC = "%DLQ%" + OrderChannel.GROUP;

  private final LocalRocketMq server;
  private final DefaultMQProducer producer;
  private final RocketMqRequests requests;

  private RocketMqOrderBroker(LocalRocketMq server, DefaultMQProducer producer)
      throws MQClientException {
    super(server, "RocketMQ", DEAD_TOPIC);
    this.server = server;
    this.producer = producer;
    this.requests = new RocketMqRequests(server, producer);
  }

  static RocketMqOrderBroker start(Path folder) {
    System.getProperties().putIfAbsent("rocketmq.log.root", folder.toString());
    System.getProperties().putIfAbsent("rocketmq.log.level", "off"); // the log is not needed
    RocketMqClients.rebalanceSoon();
    LocalRocketMq server = LocalRocketMq.start();
    try {
      server.createTopic(OrderChannel.TOPIC, OrderChannel.PARTITIONS);
      DefaultMQProducer producer =
          RocketMqClients.quick(new DefaultMQProducer("shop"), server.nameServer());
      producer.setSendMsgTimeout(SEND_MILLIS);
      producer.start();
      return new RocketMqOrderBroker(server, producer);
    } catch (MQClientException | RuntimeException e) {
      server.close();
      throw new IllegalStateException("the broker has no topic or no producer", e);
    }
  }

  @Override
  String address() {
    return server.nameServer();
  }

  @Override
  String waits() {
    return "client expiry " + CLIENT_EXPIRY.toSeconds()
        + " s (production 120 s), orderly lock life "
        + LOCK_LIFE.toSeconds() + " s (production 60 s), offsets written every "
        + RocketMqClients.OFTEN.toSeconds() + " s (production 5 s)";
  }

  @Override
  Duration memberTimeout() {
    return CLIENT_EXPIRY.plus(SCAN).plus(LOCK_LIFE);
  }

  @Override
  void publish(List<Posting> postings) throws BrokerException, InterruptedException {
    Map<Integer, List<Posting>> queues =
        postings.stream().collect(Collectors.groupingBy(RocketMqOrderBroker::queue));
    for (Map.Entry<Integer, List<Posting>> queue : queues.entrySet()) {
      List<Posting> all = queue.getValue();
      for (int from = 0; from < all.size(); from += AT_ONCE) {
        send(queue.getKey(), all.subList(from, Math.min(all.size(), from + AT_ONCE)));
      }
    }
  }

  private static int queue(Posting posting) {
    return Math.floorMod(posting.order().customer().hashCode(), OrderChannel.PARTITIONS);
  }

  private static Message message(Posting posting) {
    Message message = new Message(OrderChannel.TOPIC, posting.body());
    posting.id().ifPresent(id -> message.putUserProperty(OrderChannel.ID, id));
    return message;
  }

  /** Sends a batch. Its messages have consecutive offsets, and the broker returns the first one. */
  private void send(int queue, List<Posting> batch) throws BrokerException, InterruptedException {
    List<Message> messages = batch.stream().map(RocketMqOrderBroker::message).toList();
    SendResult result = requests.ask(
        "take orders",
        api -> producer.send(messages, RocketMqRequests.queue(OrderChannel.TOPIC, queue)));
    for (int i = 0; i < batch.size(); i++) {
      String name = MessageClientIDSetter.getUniqID(messages.get(i));
      String order = batch.get(i).order().id();
      stored(new StoredMessage(order, name, queue, result.getQueueOffset() + i));
    }
  }

  @Override
  Map<Integer, Long> committed(String group) throws BrokerException, InterruptedException {
    Map<Integer, Long> offsets = new HashMap<>();
    for (int number = 0; number < OrderChannel.PARTITIONS; number++) {
      offsets.put(number, requests.offset(group, OrderChannel.TOPIC, number));
    }
    return offsets;
  }

  /** Counts the messages in all three places. All groups share the schedule. */
  @Override
  long lag(String group) throws BrokerException, InterruptedException {
    long lag = lag(OrderChannel.TOPIC, committed(group));
    Map<Integer, Long> delivered = requests.deliveredOfSchedule();
    lag += lag(RETRY + group, Map.of(0, requests.offset(group, RETRY + group, 0)));
    return lag + lag(RocketMqRequests.SCHEDULE, delivered);
  }

  private long lag(String topic, Map<Integer, Long> offsets)
      throws BrokerException, InterruptedException {
    long lag = 0;
    for (Map.Entry<Integer, Long> offset : offsets.entrySet()) {
      lag += requests.end(topic, offset.getKey()) - offset.getValue();
    }
    return lag;
  }

  /** Returns the unique keys of the copies: they are those of their messages. */
  @Override
  Set<String> waiting() throws BrokerException, InterruptedException {
    List<MessageExt> copies = new ArrayList<>();
    for (Map.Entry<Integer, Long> delivered : requests.deliveredOfSchedule().entrySet()) {
      requests.read(RocketMqRequests.SCHEDULE, delivered.getKey(), delivered.getValue()).stream()
          .filter(RocketMqOrderBroker::isOfTheGroup)
          .forEach(copies::add);
    }
    copies.addAll(
        requests.read(RETRY_TOPIC, 0, requests.offset(OrderChannel.GROUP, RETRY_TOPIC, 0)));
    return copies.stream().map(MessageClientIDSetter::getUniqID).collect(Collectors.toSet());
  }

  /** Returns whether the copy belongs to this group. All groups share the schedule. */
  private static boolean isOfTheGroup(MessageExt copy) {
    return RETRY_TOPIC.equals(copy.getProperty(MessageConst.PROPERTY_REAL_TOPIC));
  }

  @Override
  List<DeadOrder> deadLetters() throws BrokerException, InterruptedException {
    return requests.read(DEAD_TOPIC, 0, 0).stream()
        .map(message -> DeadOrder.of(
            message.getBody(), name -> Optional.ofNullable(message.getUserProperty(name))))
        .toList();
  }

  @Override
  Broker operations(MarkIds ids) {
    return RocketMqOperations.of(
        AuditSettings.of(
            HapaxConsumer.NAME,
            ids.extractor(message -> OrderChannel.TOPIC, RocketMqIds.property(OrderChannel.ID)),
            RocketMqFingerprints.body()),
        RocketMqClients.quick(new ClientConfig(), address()));
  }

  @Override
  public void close() {
    requests.close();
    producer.shutdown();
    super.close();
  }
}
