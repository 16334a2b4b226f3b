package io.hapax.demo;

import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import io.hapax.health.PartitionStatus;
import io.hapax.health.Problem;
import io.hapax.mark.Bytes;
import java.util.List;
import java.util.Optional;

/** A broker's topic of orders or of their events, with the group that reads it. */
public interface OrderChannel<M> extends AutoCloseable {

  /** The topic of the orders, unless another one is configured. */
  String TOPIC = "orders";

  /** The topic of its dead-letter records on Kafka, with one partition. */
  String DEAD_TOPIC = TOPIC + ".dead";

  /** The number of its partitions or queues. */
  int PARTITIONS = 3;

  /** The group that reads it, unless another one is configured. */
  String GROUP = "order-service";

  /** The header or property that carries the id of the order. */
  String ID = "order-id";

  /** Messages of one kind, with the header or property that carries their ids. */
  enum Content {
    ORDERS(OrderChannel.ID),
    /** Events are in no order, and have no dead-letter records. */
    EVENTS("event-id");

    final String id;

    Content(String id) {
      this.id = id;
    }
  }

  /** A message. Those with one key are in one partition of Kafka. */
  record Message(String key, String id, Bytes body) {

    public static Message of(Order order) {
      return new Message(order.customer(), order.id(), Bytes.of(Json.write(order)));
    }
  }

  /** Creates the missing topics; existing ones stay as they are. */
  void create(int partitions) throws BrokerException, InterruptedException;

  /** Sends messages in their sequence, and returns when the broker has stored all of them. */
  void send(List<Message> messages) throws BrokerException, InterruptedException;

  /**
   * Returns a builder of a receiver that knows orders by their id, compares their bytes, and
   * publishes dead-letter records.
   */
  ReceiverBuilder<M> receiver();

  byte[] body(M message);

  /** Starts to submit messages to a receiver, which stays open when the subscription is closed. */
  Subscription read(IdempotentReceiver<M> receiver) throws BrokerException;

  @Override
  void close();

  interface Subscription extends AutoCloseable {

    /** Returns the present problems; empty if there are none. */
    List<Problem> problems();

    /** Returns how far each partition is; empty if the broker's client does not show it. */
    default Optional<List<PartitionStatus>> partitions() {
      return Optional.empty();
    }

    /** Checks that the subscription has not ended by itself, as some clients do. */
    default void mustRun() throws BrokerException {}

    /** Ends the subscription normally, and waits for running handlers. */
    @Override
    void close();
  }
}
