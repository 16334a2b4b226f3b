package io.hapax.demo.scene;

import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import io.hapax.demo.RocketMqOrders;
import io.hapax.rocketmq.RocketMqFingerprints;
import io.hapax.rocketmq.RocketMqIds;
import io.hapax.rocketmq.RocketMqReceiver;
import java.io.IOException;
import java.util.List;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A topic of events on RocketMQ. */
public final class RocketMqTopic implements EventTopic<MessageExt> {

  private static final Logger LOG = LoggerFactory.getLogger(RocketMqTopic.class);
  private static final int SHUTDOWN_MILLIS = 20_000;

  private final String nameServer;
  private final String name;
  private final DefaultMQProducer producer;

  private RocketMqTopic(String nameServer, String name, DefaultMQProducer producer) {
    this.nameServer = nameServer;
    this.name = name;
    this.producer = producer;
  }

  /** Creates a topic; see {@link EventBroker#create}. */
  public static EventTopic<?> create(String nameServer, String name, int partitions)
      throws IOException, InterruptedException {
    DefaultMQProducer producer =
        RocketMqClients.quick(new DefaultMQProducer(name + "-sender"), nameServer);
    producer.setInstanceName(name);
    try {
      producer.start();
      RocketMqOrders.create(producer, name, partitions);
    } catch (MQClientException | IOException e) {
      producer.shutdown();
      throw new IOException("RocketMQ did not create topic " + name, e);
    }
    return new RocketMqTopic(nameServer, name, producer);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void send(List<OrderEvent> events) throws IOException, InterruptedException {
    for (OrderEvent event : events) {
      Message message = new Message(name, event.toJson());
      message.putUserProperty(ID, event.id());
      try {
        if (producer.send(message).getSendStatus() != SendStatus.SEND_OK) {
          throw new IOException("RocketMQ did not store " + event.id());
        }
      } catch (MQClientException | RemotingException | MQBrokerException e) {
        throw new IOException("RocketMQ did not take " + event.id(), e);
      }
    }
  }

  @Override
  public ReceiverBuilder<MessageExt> receiver() {
    return IdempotentReceiver.<MessageExt>builder(name)
        .id(RocketMqIds.property(ID))
        .fingerprint(RocketMqFingerprints.body());
  }

  @Override
  public OrderEvent event(MessageExt message) {
    return OrderEvent.fromJson(message.getBody());
  }

  @Override
  public Subscription read(IdempotentReceiver<MessageExt> receiver, Member member)
      throws IOException {
    try {
      RocketMqReceiver reading = RocketMqReceiver.start(receiver, consumer(member));
      return () -> {
        reading.close();
        receiver.close();
      };
    } catch (MQClientException e) {
      throw new IOException("the RocketMQ receiver does not start", e);
    }
  }

  @Override
  public Subscription readNaively(NaiveHandler handler, Settled settled, Member member)
      throws IOException {
    try {
      DefaultMQPushConsumer consumer = consumer(member);
      consumer.setAwaitTerminationMillisWhenShutdown(SHUTDOWN_MILLIS);
      consumer.registerMessageListener((MessageListenerConcurrently)
          (messages, context) -> handle(messages.get(0), handler, settled));
      consumer.start();
      return consumer::shutdown;
    } catch (MQClientException e) {
      throw new IOException("the RocketMQ consumer does not start", e);
    }
  }

  private ConsumeConcurrentlyStatus handle(
      MessageExt message, NaiveHandler handler, Settled settled) {
    try {
      handler.handle(event(message));
      settled.settled(message.getMsgId());
      return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the client shuts down
      return ConsumeConcurrentlyStatus.RECONSUME_LATER;
    } catch (Exception e) {
      LOG.debug("{} failed and is redelivered", message.getMsgId(), e);
      return ConsumeConcurrentlyStatus.RECONSUME_LATER;
    }
  }

  /** One queue goes to the member whose name sorts first, because the client sorts. */
  private DefaultMQPushConsumer consumer(Member member) throws MQClientException {
    DefaultMQPushConsumer consumer =
        RocketMqClients.quick(new DefaultMQPushConsumer(name), nameServer);
    consumer.setInstanceName(member.name() + '-' + name);
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.subscribe(name, "*");
    return consumer;
  }

  @Override
  public void close() {
    producer.shutdown();
  }
}
