package io.hapax.demo;

import java.util.List;

/**
 * The broker of a run, with its topic of orders and the group that reads it, as the parent process
 * sees it.
 */
interface OrderBroker extends AutoCloseable {

  /** The topic of the orders. */
  String TOPIC = "orders";

  /** Into how many partitions, or queues, the topic is divided. */
  int PARTITIONS = 3;

  /** The group that reads it. */
  String GROUP = "order-service";

  /** Under which name a message carries the id of its order. */
  String ID = "order-id";

  /** Where a consumer finds the broker. */
  String address();

  /** How long it waits for those who vanished, and what is usual in production. */
  String waits();

  /** Sends the orders, and returns when the broker has all of them. */
  void publish(List<Order> orders) throws BrokerException, InterruptedException;

  /** How many messages the group has not acknowledged yet, those that wait for a retry too. */
  long lag() throws BrokerException, InterruptedException;

  /** Sends the group back to the beginning. It must have no member. */
  void rewind() throws BrokerException, InterruptedException;

  /** Ends the broker; its data go with it. */
  @Override
  void close();
}
