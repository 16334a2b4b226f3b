package io.hapax.demo;

import io.hapax.audit.AuditReport;
import io.hapax.audit.AuditSettings;
import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicPart;
import io.hapax.rocketmq.RocketMqAudit;
import io.hapax.servers.LocalRocketMq;
import io.hapax.store.DedupStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.exception.OffsetNotFoundException;
import org.apache.rocketmq.client.impl.MQClientAPIImpl;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.common.topic.TopicValidator;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.apache.rocketmq.remoting.protocol.header.QueryConsumerOffsetRequestHeader;
import org.apache.rocketmq.remoting.protocol.header.UpdateConsumerOffsetRequestHeader;

/**
 * RocketMQ, with a topic whose messages lie in the queue of their customer.
 *
 * <p>A message of the group is in one of three places: in its queue, in the broker's schedule while
 * it waits for a retry, or in the group's retry topic. From there it may go back into the schedule.
 */
final class RocketMqBroker implements OrderBroker {

  /** As {@link LocalRocketMq} sets them. */
  private static final Duration CLIENT_EXPIRY = Duration.ofSeconds(5);

  private static final Duration LOCK_LIFE = Duration.ofSeconds(5);

  /** How often the broker looks for members that have expired. */
  private static final Duration SCAN = Duration.ofSeconds(10);

  private static final int AT_ONCE = 100;
  private static final int TIMEOUT_MILLIS = 5_000;
  private static final int SEND_MILLIS = 20_000;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long TICK_MILLIS = 50;
  private static final String RETRY_TOPIC = "%RETRY%" + GROUP;
  private static final String SCHEDULE = TopicValidator.RMQ_SYS_SCHEDULE_TOPIC;
  private static final int DELAY_LEVELS = 18;

  private final LocalRocketMq server;
  private final DefaultMQProducer producer;
  private final Positions positions = new Positions();

  private RocketMqBroker(LocalRocketMq server, DefaultMQProducer producer) {
    this.server = server;
    this.producer = producer;
  }

  /**
   * Starts one, with an empty topic.
   *
   * @param folder for the log of this JVM's client
   */
  static RocketMqBroker start(Path folder) {
    System.getProperties().putIfAbsent("rocketmq.log.root", folder.toString());
    System.getProperties().putIfAbsent("rocketmq.log.level", "off"); // it is of no use here
    LocalRocketMq server = LocalRocketMq.start();
    try {
      server.createTopic(TOPIC, PARTITIONS);
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
  public Duration missedAfter() {
    return CLIENT_EXPIRY.plus(SCAN).plus(LOCK_LIFE);
  }

  /** In batches, each for one queue. */
  @Override
  public void publish(List<Posting> postings) throws BrokerException, InterruptedException {
    Map<Integer, List<Posting>> waiting = new HashMap<>();
    for (Posting posting : postings) {
      int queue = Math.floorMod(posting.order().customer().hashCode(), PARTITIONS);
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
    Message message = new Message(TOPIC, posting.body());
    posting.id().ifPresent(id -> message.putUserProperty(ID, id));
    return message;
  }

  /** The messages of a batch lie one behind the other; the broker tells the first's offset. */
  private void send(int queue, List<Posting> batch) throws BrokerException, InterruptedException {
    List<Message> messages = batch.stream().map(RocketMqBroker::message).toList();
    SendResult stored = ask("take orders", api -> producer.send(messages, queue(TOPIC, queue)));
    for (int i = 0; i < batch.size(); i++) {
      positions.add(batch.get(i), queue, stored.getQueueOffset() + i);
    }
  }

  @Override
  public List<String> acknowledged() throws BrokerException, InterruptedException {
    Map<Integer, Long> offsets = new HashMap<>();
    for (int number = 0; number < PARTITIONS; number++) {
      offsets.put(number, offset(TOPIC, number));
    }
    return positions.before(offsets);
  }

  @Override
  public List<DeadOrder> deadLetters() throws BrokerException, InterruptedException {
    return RocketMqDeadTopic.read(address());
  }

  /**
   * The schedule is asked before and after the retry topic: what left that topic for the schedule
   * meanwhile is seen there.
   */
  @Override
  public long lag() throws BrokerException, InterruptedException {
    long lag = 0;
    for (int number = 0; number < PARTITIONS; number++) {
      lag += lag(TOPIC, number);
    }
    long scheduled = ends();
    lag += waiting();
    lag += lag(RETRY_TOPIC, 0);
    return lag + ends() - scheduled;
  }

  private long lag(String topic, int queue) throws BrokerException, InterruptedException {
    return end(topic, queue) - offset(topic, queue);
  }

  private long end(String topic, int queue) throws BrokerException, InterruptedException {
    return ask(
        "tell the end of " + topic,
        api -> api.getMaxOffset(server.broker(), queue(topic, queue), TIMEOUT_MILLIS));
  }

  private long offset(String topic, int queue) throws BrokerException, InterruptedException {
    QueryConsumerOffsetRequestHeader header = new QueryConsumerOffsetRequestHeader();
    header.setConsumerGroup(GROUP);
    header.setTopic(topic);
    header.setQueueId(queue);
    return ask("tell the group's offset", api -> {
      try {
        return api.queryConsumerOffset(server.broker(), header, TIMEOUT_MILLIS);
      } catch (OffsetNotFoundException e) {
        return 0L;
      }
    });
  }

  /** How many messages were ever put into the schedule. */
  private long ends() throws BrokerException, InterruptedException {
    long ends = 0;
    for (int level = 0; level < DELAY_LEVELS; level++) {
      ends += end(SCHEDULE, level);
    }
    return ends;
  }

  /** How many messages wait there for their time; the broker knows nobody else who retries. */
  private long waiting() throws BrokerException, InterruptedException {
    Map<String, String> figures = ask(
        "tell how far its schedule is",
        api -> api.getBrokerRuntimeInfo(server.broker(), TIMEOUT_MILLIS).getTable());
    long waiting = 0;
    for (int level = 0; level < DELAY_LEVELS; level++) {
      String offsets = figures.getOrDefault("scheduleMessageOffset_" + (level + 1), "0,0");
      waiting += end(SCHEDULE, level) - Long.parseLong(offsets.split(",", -1)[0]);
    }
    return waiting;
  }

  @Override
  public void rewind() throws BrokerException, InterruptedException {
    for (int number = 0; number < PARTITIONS; number++) {
      UpdateConsumerOffsetRequestHeader header = new UpdateConsumerOffsetRequestHeader();
      header.setConsumerGroup(GROUP);
      header.setTopic(TOPIC);
      header.setQueueId(number);
      header.setCommitOffset(0L);
      ask("send the group back", api -> {
        api.updateConsumerOffset(server.broker(), header, TIMEOUT_MILLIS);
        return header;
      });
    }
  }

  @Override
  public AuditReport audit(DedupStore marks) throws InterruptedException {
    return RocketMqAudit.of(
            marks,
            AuditSettings.of(
                HapaxConsumer.NAME, RocketMqSource.ids(), RocketMqSource.fingerprint()),
            RocketMqClients.quick(new ClientConfig(), address()))
        .run(TopicPart.all(TOPIC), StartingPoint.beginning());
  }

  /** A broker that was just started again may not be reached, or know everything, at once. */
  private <A> A ask(String request, Request<A> asked) throws BrokerException, InterruptedException {
    long begin = System.nanoTime();
    while (true) {
      try {
        return asked.of(api());
      } catch (RemotingException
          | MQBrokerException
          | MQClientException
          | IllegalStateException e) {
        if (!passes(e) || System.nanoTime() - begin > PATIENCE.toNanos()) {
          throw new BrokerException("RocketMQ did not " + request, e);
        }
        TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
      }
    }
  }

  /** A producer wraps it when the name server does not answer. */
  private static boolean passes(Exception e) {
    return e instanceof RemotingException
        || e instanceof MQBrokerException
        || e.getCause() instanceof RemotingException;
  }

  @SuppressWarnings("deprecation") // announced to go, and still the only way without its tools
  private MQClientAPIImpl api() {
    return producer.getDefaultMQProducerImpl().getMqClientFactory().getMQClientAPIImpl();
  }

  private static MessageQueue queue(String topic, int number) {
    return new MessageQueue(topic, "local", number);
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

  /** What the broker is asked for. */
  @FunctionalInterface
  private interface Request<A> {

    A of(MQClientAPIImpl api)
        throws RemotingException, MQBrokerException, MQClientException, InterruptedException;
  }
}
