package io.hapax.chaos;

import io.hapax.demo.BrokerException;
import io.hapax.demo.scene.RocketMqClients;
import io.hapax.servers.LocalRocketMq;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.consumer.DefaultMQPullConsumer;
import org.apache.rocketmq.client.consumer.PullResult;
import org.apache.rocketmq.client.consumer.PullStatus;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.exception.OffsetNotFoundException;
import org.apache.rocketmq.client.impl.MQClientAPIImpl;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.common.topic.TopicValidator;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.apache.rocketmq.remoting.protocol.header.QueryConsumerOffsetRequestHeader;

/**
 * Asks RocketMQ's broker for messages, for the ends of queues and for the offsets of groups, also
 * in internal topics. Uses a producer's connection, and repeats requests while the broker is away.
 */
@SuppressWarnings("deprecation") // deprecated, and still the only way without RocketMQ's tools
final class RocketMqRequests implements AutoCloseable {

  /** The topic of the broker's schedule. It has a queue for each delay level. */
  static final String SCHEDULE = TopicValidator.RMQ_SYS_SCHEDULE_TOPIC;

  private static final int DELAY_LEVELS = 18;
  private static final int TIMEOUT_MILLIS = 5_000;
  private static final int AT_ONCE = 32;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final long TICK_MILLIS = 50;

  private final String broker;
  private final DefaultMQProducer producer;

  /** Reads from any offset of any topic, and writes no offset. */
  private final DefaultMQPullConsumer reader;

  RocketMqRequests(LocalRocketMq server, DefaultMQProducer producer) throws MQClientException {
    this.broker = server.broker();
    this.producer = producer;
    this.reader = RocketMqClients.quick(new DefaultMQPullConsumer("onlooker"), server.nameServer());
    reader.start();
  }

  /** Repeats the request: a restarted broker may be unreachable or incomplete at first. */
  <A> A ask(String request, Request<A> asked) throws BrokerException, InterruptedException {
    long begin = System.nanoTime();
    while (true) {
      try {
        return asked.of(api());
      } catch (RemotingException
          | MQBrokerException
          | MQClientException
          | IllegalStateException e) {
        if (!passes(e) || System.nanoTime() - begin > TIMEOUT.toNanos()) {
          throw new BrokerException("RocketMQ did not " + request, e);
        }
        TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
      }
    }
  }

  /**
   * Returns whether the error is temporary. A producer that does not know the broker yet throws an
   * exception without a cause. If the name server does not answer, the exception has a cause.
   */
  private static boolean passes(Exception e) {
    return !(e instanceof IllegalStateException) || e.getCause() instanceof RemotingException;
  }

  private MQClientAPIImpl api() {
    return producer.getDefaultMQProducerImpl().getMqClientFactory().getMQClientAPIImpl();
  }

  static MessageQueue queue(String topic, int number) {
    return new MessageQueue(topic, "local", number);
  }

  long end(String topic, int queue) throws BrokerException, InterruptedException {
    return ask(
        "return the end of " + topic,
        api -> api.getMaxOffset(broker, queue(topic, queue), TIMEOUT_MILLIS));
  }

  long offset(String group, String topic, int queue) throws BrokerException, InterruptedException {
    QueryConsumerOffsetRequestHeader header = new QueryConsumerOffsetRequestHeader();
    header.setConsumerGroup(group);
    header.setTopic(topic);
    header.setQueueId(queue);
    return ask("return the group's offset", api -> {
      try {
        return api.queryConsumerOffset(broker, header, TIMEOUT_MILLIS);
      } catch (OffsetNotFoundException e) {
        return 0L;
      }
    });
  }

  /** Returns the offset up to which the broker has delivered each queue of its schedule. */
  Map<Integer, Long> deliveredOfSchedule() throws BrokerException, InterruptedException {
    Map<String, String> figures = ask(
        "return the offsets of its schedule",
        api -> api.getBrokerRuntimeInfo(broker, TIMEOUT_MILLIS).getTable());
    Map<Integer, Long> delivered = new HashMap<>();
    for (int level = 0; level < DELAY_LEVELS; level++) {
      String offsets = figures.getOrDefault("scheduleMessageOffset_" + (level + 1), "0,0");
      delivered.put(level, Long.parseLong(offsets.split(",", -1)[0]));
    }
    return delivered;
  }

  /** Returns the messages from an offset to the present end of the queue. */
  List<MessageExt> read(String topic, int queue, long from)
      throws BrokerException, InterruptedException {
    List<MessageExt> messages = new ArrayList<>();
    long end = end(topic, queue);
    for (long offset = from; offset < end; ) {
      long at = offset;
      PullResult pulled = ask(
          "return messages of " + topic, api -> reader.pull(queue(topic, queue), "*", at, AT_ONCE));
      if (pulled.getPullStatus() == PullStatus.FOUND) {
        messages.addAll(pulled.getMsgFoundList());
      }
      if (pulled.getNextBeginOffset() <= offset) {
        throw new BrokerException("RocketMQ answers " + pulled.getPullStatus() + " at " + topic
            + '-' + queue + '@' + offset);
      }
      offset = pulled.getNextBeginOffset();
    }
    return messages;
  }

  @Override
  public void close() {
    reader.shutdown();
  }

  @FunctionalInterface
  interface Request<A> {

    A of(MQClientAPIImpl api)
        throws RemotingException, MQBrokerException, MQClientException, InterruptedException;
  }
}
