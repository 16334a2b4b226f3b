package io.hapax.chaos;

import io.hapax.demo.BrokerException;
import io.hapax.demo.OrderChannel;
import io.hapax.demo.scene.RocketMqClients;
import io.hapax.operations.audit.AuditReport;
import io.hapax.operations.audit.AuditSettings;
import io.hapax.operations.rocketmq.RocketMqOperations;
import io.hapax.operations.topic.AuditProgress;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import io.hapax.rocketmq.RocketMqFingerprints;
import io.hapax.rocketmq.RocketMqIds;
import io.hapax.servers.LocalRocketMq;
import io.hapax.store.DedupStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageClientIDSetter;

/** RocketMQ, with a topic whose messages are in the queue of their customer. */
final class RocketMqBroker implements OrderBroker {

  /** The settings of {@link LocalRocketMq}. */
  private static final Duration CLIENT_EXPIRY = Duration.ofSeconds(5);

  private static final Duration LOCK_LIFE = Duration.ofSeconds(5);

  /** The interval in which the broker looks for expired members. */
  private static final Duration SCAN = Duration.ofSeconds(10);

  private static final int AT_ONCE = 100;
  private static final int SEND_MILLIS = 20_000;

  private final LocalRocketMq server;
  private final DefaultMQProducer producer;
  private final RocketMqRequests requests;
  private final RocketMqOffsets offsets;
  private final RocketMqReader reader;
  private final Positions positions = new Positions();

  private RocketMqBroker(LocalRocketMq server, DefaultMQProducer producer) {
    this.server = server;
    this.producer = producer;
    this.requests = new RocketMqRequests(producer);
    this.offsets = new RocketMqOffsets(server, requests);
    this.reader = new RocketMqReader(server, requests, offsets);
  }

  /**
   * Starts a broker with an empty topic.
   *
   * @param folder for the log of this JVM's client
   */
  static RocketMqBroker start(Path folder) {
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
      return new RocketMqBroker(server, producer);
    } catch (MQClientException e) {
      server.close();
      throw new IllegalStateException("the producer does not start", e);
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  @Override
  public String address() {
    return server.nameServer();
  }

  @Override
  public String waits() {
    return "client expiry " + CLIENT_EXPIRY.toSeconds()
        + " s (production 120 s), orderly lock life "
        + LOCK_LIFE.toSeconds() + " s (production 60 s), offsets written every "
        + RocketMqClients.OFTEN.toSeconds() + " s (production 5 s)";
  }

  @Override
  public Duration memberTimeout() {
    return CLIENT_EXPIRY.plus(SCAN).plus(LOCK_LIFE);
  }

  /** Sends batches, each to one queue. */
  @Override
  public void publish(List<Posting> postings) throws BrokerException, InterruptedException {
    Map<Integer, List<Posting>> waiting = new HashMap<>();
    for (Posting posting : postings) {
      int queue = Math.floorMod(posting.order().customer().hashCode(), OrderChannel.PARTITIONS);
      List<Posting> batch = waiting.computeIfAbsent(queue, number -> new ArrayList<>());
      batch.add(posting);
      if (batch.size() == AT_ONCE) {
        send(queue, batch);
        batch.clear();
      }
    }
    for (Map.Entry<Integer, List<Posting>> rest : waiting.entrySet()) {
      if (!rest.getValue().isEmpty()) {
        send(rest.getKey(), rest.getValue());
      }
    }
  }

  private static Message message(Posting posting) {
    Message message = new Message(OrderChannel.TOPIC, posting.body());
    posting.id().ifPresent(id -> message.putUserProperty(OrderChannel.ID, id));
    return message;
  }

  /** Sends a batch. Its messages have consecutive offsets, and the broker returns the first one. */
  private void send(int queue, List<Posting> batch) throws BrokerException, InterruptedException {
    List<Message> messages = batch.stream().map(RocketMqBroker::message).toList();
    SendResult stored = requests.ask(
        "take orders",
        api -> producer.send(messages, RocketMqRequests.queue(OrderChannel.TOPIC, queue)));
    for (int i = 0; i < batch.size(); i++) {
      positions.add(
          new StoredMessage(
              batch.get(i).order().id(), MessageClientIDSetter.getUniqID(messages.get(i))),
          queue,
          stored.getQueueOffset() + i);
    }
  }

  @Override
  public List<StoredMessage> acknowledged() throws BrokerException, InterruptedException {
    return positions.before(offsets.byQueue());
  }

  @Override
  public List<DeadOrder> deadLetters() throws BrokerException, InterruptedException {
    return RocketMqDeadTopic.read(reader);
  }

  @Override
  public Set<String> waiting() throws BrokerException, InterruptedException {
    return new RocketMqRetries(offsets, reader).waiting();
  }

  @Override
  public long lag() throws BrokerException, InterruptedException {
    return offsets.lag();
  }

  @Override
  public void rewind() throws BrokerException, InterruptedException {
    offsets.rewind();
  }

  @Override
  public AuditReport audit(DedupStore marks, MarkIds ids) throws InterruptedException {
    return RocketMqOperations.of(
            AuditSettings.of(
                HapaxConsumer.NAME,
                ids.extractor(message -> OrderChannel.TOPIC, RocketMqIds.property(OrderChannel.ID)),
                RocketMqFingerprints.body()),
            RocketMqClients.quick(new ClientConfig(), address()))
        .audit(marks, AuditProgress.NONE)
        .run(TopicPart.all(OrderChannel.TOPIC), StartingPoint.beginning());
  }

  @Override
  public void restart() {
    server.kill();
    server.restart();
  }

  @Override
  public void close() {
    producer.shutdown();
    server.close();
  }
}
