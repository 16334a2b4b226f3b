package io.hapax.demo.scene;

import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import io.hapax.demo.BrokerException;
import io.hapax.demo.BrokerKind;
import io.hapax.demo.KafkaOrders;
import io.hapax.demo.OrderChannel;
import io.hapax.demo.OrderChannel.Content;
import io.hapax.demo.OrderChannel.Message;
import io.hapax.demo.RocketMqOrders;
import io.hapax.demo.ServiceSettings;
import io.hapax.mark.Bytes;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.rocketmq.common.message.MessageExt;

/** A topic of events. One group reads it, whose members keep no order. */
public final class EventTopic<M> implements AutoCloseable {

  private final String name;
  private final Function<Member, OrderChannel<M>> channels;
  private final OrderChannel<M> channel;

  private EventTopic(String name, Function<Member, OrderChannel<M>> channels) {
    this.name = name;
    this.channels = channels;
    this.channel = channels.apply(Member.ALONE);
  }

  /** Creates a topic on a broker. Close it after its subscriptions. */
  static EventTopic<?> on(BrokerKind broker, String address, String name, int partitions)
      throws BrokerException, InterruptedException {
    EventTopic<?> topic =
        broker == BrokerKind.KAFKA ? onKafka(address, name) : onRocketMq(address, name);
    topic.channel.create(partitions);
    return topic;
  }

  /**
   * Returns a topic on Kafka. One partition goes to the member whose name sorts first, because the
   * range assignor sorts.
   */
  private static EventTopic<?> onKafka(String bootstrapServers, String name) {
    var channel = new ServiceSettings.Channel(BrokerKind.KAFKA, bootstrapServers, name, name);
    return new EventTopic<ConsumerRecord<String, byte[]>>(name, member -> {
      Map<String, Object> settings = Map.of(
          ConsumerConfig.CLIENT_ID_CONFIG,
          member.name(),
          ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
          RangeAssignor.class.getName(),
          ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG,
          (int) member.patience().toMillis(),
          ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
          "earliest",
          ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
          "false");
      return new KafkaOrders(channel, Content.EVENTS, settings);
    });
  }

  /**
   * Returns a topic on RocketMQ. One queue goes to the member whose name sorts first, because the
   * client sorts.
   */
  private static EventTopic<?> onRocketMq(String nameServer, String name) {
    var channel = new ServiceSettings.Channel(BrokerKind.ROCKETMQ, nameServer, name, name);
    return new EventTopic<MessageExt>(
        name,
        member -> new RocketMqOrders(channel, Content.EVENTS, false, consumer -> {
          RocketMqClients.quick(consumer, nameServer);
          consumer.setInstanceName(member.name() + '-' + name);
        }));
  }

  /** Returns the name of the topic, which is also the name of its group and of its consumer. */
  public String name() {
    return name;
  }

  /**
   * Sends events in their order, and returns when the broker has stored all of them. An event may
   * occur twice. After an exception, some may be stored.
   */
  public void send(List<OrderEvent> events) throws BrokerException, InterruptedException {
    channel.send(events.stream()
        .map(event -> new Message(event.id(), event.id(), Bytes.of(event.toJson())))
        .toList());
  }

  /** Returns a builder of a receiver that knows events by their id and compares their bytes. */
  ReceiverBuilder<M> receiver() {
    return channel.receiver();
  }

  /** Reads an event. A message that is no event is rejected. */
  OrderEvent event(M message) {
    return OrderEvent.fromJson(channel.body(message));
  }

  /** Lets a member of the group submit its messages to a receiver. The subscription closes it. */
  Subscription read(IdempotentReceiver<M> receiver, Member member) throws BrokerException {
    OrderChannel<M> own = channels.apply(member);
    OrderChannel.Subscription reading = own.read(receiver);
    return () -> {
      reading.close();
      receiver.close();
      own.close();
    };
  }

  /**
   * Lets a member of the group pass each message to a handler and acknowledge it afterwards. If the
   * handler throws, the broker redelivers the message, and no other one.
   */
  Subscription readNaively(NaiveHandler handler, Settled settled, Member member)
      throws BrokerException {
    OrderChannel<M> own = channels.apply(member);
    NaiveReader reading = NaiveReader.start(own, 1, batch -> {
      for (NaiveReader.Received received : batch) {
        handler.handle(OrderEvent.fromJson(received.body().toByteArray()));
      }
      return () -> batch.forEach(received -> settled.settled(received.place()));
    });
    return () -> {
      reading.close();
      own.close();
    };
  }

  /** Closes the connections. */
  @Override
  public void close() {
    channel.close();
  }

  @FunctionalInterface
  interface NaiveHandler {

    /** Handles an event. If that fails, the event is redelivered. */
    void handle(OrderEvent event) throws Exception;
  }

  @FunctionalInterface
  public interface Subscription extends AutoCloseable {

    /** Ends the subscription, and waits for running handlers. */
    @Override
    void close();
  }
}
