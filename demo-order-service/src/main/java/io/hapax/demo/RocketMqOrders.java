package io.hapax.demo;

import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import io.hapax.health.Problem;
import io.hapax.rocketmq.RocketMqDeadLetterPublisher;
import io.hapax.rocketmq.RocketMqFingerprints;
import io.hapax.rocketmq.RocketMqIds;
import io.hapax.rocketmq.RocketMqReceiver;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.topic.TopicValidator;
import org.apache.rocketmq.remoting.exception.RemotingException;

/** Orders or events on RocketMQ. Orders that fail for good go to {@code %DLQ%<group>}. */
public final class RocketMqOrders implements OrderChannel<MessageExt> {

  /** A topic that every broker has. Its route names the brokers that create the new topic. */
  private static final String KNOWN_TOPIC = TopicValidator.RMQ_SYS_SELF_TEST_TOPIC;

  private static final int SEND_MILLIS = 10_000;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long TICK_MILLIS = 200;

  private final ServiceSettings.Channel channel;
  private final Content content;
  private final boolean orderly;
  private final Consumer<DefaultMQPushConsumer> preparation;
  private final DefaultMQPushConsumer consumer;
  private final RocketMqDeadLetterPublisher deadLetters;

  /** Creates a channel, whose queues may be read in order, with more settings of the consumer. */
  public RocketMqOrders(
      ServiceSettings.Channel channel,
      Content content,
      boolean orderly,
      Consumer<DefaultMQPushConsumer> preparation) {
    this.channel = channel;
    this.content = content;
    this.orderly = orderly;
    this.preparation = preparation;
    this.consumer = new DefaultMQPushConsumer(channel.group());
    this.deadLetters = RocketMqDeadLetterPublisher.of(consumer);
  }

  @Override
  public void create(int partitions) throws BrokerException, InterruptedException {
    DefaultMQProducer producer = producer();
    try {
      create(producer, channel.topic(), partitions);
    } finally {
      producer.shutdown();
    }
  }

  /** Creates a missing topic. The name server may not know a broker yet that was just started. */
  @SuppressWarnings("deprecation") // deprecated, and still the only way without RocketMQ's tools
  private static void create(DefaultMQProducer producer, String topic, int partitions)
      throws BrokerException, InterruptedException {
    long begin = System.nanoTime();
    while (!exists(producer, topic)) {
      try {
        producer.createTopic(KNOWN_TOPIC, topic, partitions, Map.of());
      } catch (MQClientException e) {
        if (System.nanoTime() - begin > PATIENCE_NANOS) {
          throw new BrokerException("RocketMQ did not create topic " + topic, e);
        }
      }
      TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
    }
  }

  @SuppressWarnings("deprecation") // deprecated, see create()
  private static boolean exists(DefaultMQProducer producer, String topic) {
    try {
      return !producer.fetchPublishMessageQueues(topic).isEmpty();
    } catch (MQClientException noRouteToIt) {
      return false;
    }
  }

  @Override
  public void send(List<Message> messages) throws BrokerException, InterruptedException {
    DefaultMQProducer producer = producer();
    try {
      for (Message each : messages) {
        var message = new org.apache.rocketmq.common.message.Message(
            channel.topic(), each.body().toByteArray());
        message.putUserProperty(content.id, each.id());
        SendResult result = producer.send(message);
        if (result.getSendStatus() != SendStatus.SEND_OK) {
          throw new BrokerException(
              "RocketMQ took " + each.id() + " with " + result.getSendStatus());
        }
      }
    } catch (MQClientException | RemotingException | MQBrokerException e) {
      throw new BrokerException("RocketMQ did not take a message for " + channel.topic(), e);
    } finally {
      producer.shutdown();
    }
  }

  private DefaultMQProducer producer() throws BrokerException {
    DefaultMQProducer producer = new DefaultMQProducer(channel.group() + "-sender");
    producer.setNamesrvAddr(channel.address());
    producer.setSendMsgTimeout(SEND_MILLIS);
    try {
      producer.start();
      return producer;
    } catch (MQClientException e) {
      throw new BrokerException("the RocketMQ producer does not start", e);
    }
  }

  @Override
  public ReceiverBuilder<MessageExt> receiver() {
    ReceiverBuilder<MessageExt> builder = IdempotentReceiver.<MessageExt>builder(channel.group())
        .id(RocketMqIds.property(content.id))
        .fingerprint(RocketMqFingerprints.body());
    return content == Content.ORDERS ? builder.deadLetters(deadLetters) : builder;
  }

  @Override
  public byte[] body(MessageExt message) {
    return message.getBody();
  }

  @Override
  public Subscription read(IdempotentReceiver<MessageExt> receiver) throws BrokerException {
    try {
      prepareConsumer();
      RocketMqReceiver.Builder builder = RocketMqReceiver.builder(receiver, consumer);
      return new RocketMqSubscription((orderly ? builder.orderly() : builder).start());
    } catch (MQClientException e) {
      throw new BrokerException("the RocketMQ receiver does not start", e);
    }
  }

  /** Returns the consumer with all settings, for a listener without Hapax. */
  public DefaultMQPushConsumer prepareConsumer() throws MQClientException {
    consumer.setNamesrvAddr(channel.address());
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.subscribe(channel.topic(), "*");
    preparation.accept(consumer);
    return consumer;
  }

  @Override
  public void close() {
    consumer.shutdown();
  }

  private record RocketMqSubscription(RocketMqReceiver receiver) implements Subscription {

    @Override
    public List<Problem> problems() {
      return receiver.problems();
    }

    @Override
    public void close() {
      receiver.close();
    }
  }
}
