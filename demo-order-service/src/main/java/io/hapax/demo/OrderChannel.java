package io.hapax.demo;

import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import io.hapax.health.PartitionStatus;
import io.hapax.health.Problem;
import java.util.List;
import java.util.Optional;

/**
 * A broker's topic of orders for the order service. It uses the default settings of the broker's
 * client.
 */
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

  /** Creates the missing topics of the service; existing ones stay as they are. */
  void create() throws BrokerException, InterruptedException;

  /** Sends an order, and returns when the broker has stored it. */
  void send(Order order) throws BrokerException, InterruptedException;

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
