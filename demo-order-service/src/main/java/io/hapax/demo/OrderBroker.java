package io.hapax.demo;

import io.hapax.audit.AuditReport;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;

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

  /** Until when a member that vanished must be noticed at the latest. */
  Duration missedAfter();

  /** How long a new consumer may need at most until it has done what was cut off. */
  default Duration recoveryBound() {
    return HapaxConsumer.LEASE
        .plus(missedAfter())
        .plus(ShopDatabase.IDLE_LIMIT)
        .plus(Duration.ofSeconds(10));
  }

  /** Sends the messages, and returns when the broker has all of them. */
  void publish(List<Posting> postings) throws BrokerException, InterruptedException;

  /** How many messages the group has not acknowledged yet, those that wait for a retry too. */
  long lag() throws BrokerException, InterruptedException;

  /** The messages in front of the group's offsets; some may be {@link #waiting()}. */
  List<Sent> acknowledged() throws BrokerException, InterruptedException;

  /**
   * The names of the messages that the group has sent back to the broker, and that wait there for a
   * retry: only a RocketMQ listener does that which does not keep the order. No member must run.
   */
  default Set<String> waiting() throws BrokerException, InterruptedException {
    return Set.of();
  }

  /** Reads the whole dead-letter topic. */
  List<DeadOrder> deadLetters() throws BrokerException, InterruptedException;

  /** Sends the group back to the beginning. It must have no member. */
  void rewind() throws BrokerException, InterruptedException;

  /** Reads the topic once more and says what of it would run again; changes nothing. */
  AuditReport audit(DedupStore marks) throws InterruptedException;

  /** Kills it with SIGKILL and starts it again on its data; returns when it answers. */
  void restart();

  /** Ends the broker; its data go with it. */
  @Override
  void close();
}
