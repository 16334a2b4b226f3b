package io.hapax.chaos;

import io.hapax.demo.BrokerException;
import io.hapax.operations.audit.AuditReport;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The broker of a run, with the topic of orders and the group that reads it, as the parent process
 * sees it.
 */
interface OrderBroker extends AutoCloseable {

  /** Returns the address for consumers. */
  String address();

  /**
   * Describes how long the broker waits for vanished members, and the usual values in production.
   */
  String waits();

  /** Returns the longest time until the broker notices a vanished member. */
  Duration memberTimeout();

  /** Returns the longest time that a new consumer may need to complete interrupted orders. */
  default Duration recoveryBound() {
    return HapaxConsumer.LEASE
        .plus(memberTimeout())
        .plus(ShopDatabase.IDLE_LIMIT)
        .plus(Duration.ofSeconds(10));
  }

  /** Sends the messages, and returns when the broker has stored all of them. */
  void publish(List<Posting> postings) throws BrokerException, InterruptedException;

  /**
   * Returns the number of messages that the group has not acknowledged, with those that wait for a
   * retry.
   */
  long lag() throws BrokerException, InterruptedException;

  /** Returns the messages before the group's offsets. Some may be {@link #waiting()}. */
  List<StoredMessage> acknowledged() throws BrokerException, InterruptedException;

  /**
   * Returns the names of the messages that wait in the broker for a retry, because the group has
   * sent them back. Only a concurrent RocketMQ listener sends messages back. No member may run.
   */
  default Set<String> waiting() throws BrokerException, InterruptedException {
    return Set.of();
  }

  /** Reads the whole dead-letter topic. */
  List<DeadOrder> deadLetters() throws BrokerException, InterruptedException;

  /** Resets the group to the beginning. It must have no member. */
  void rewind() throws BrokerException, InterruptedException;

  /** Reads the topic and reports which messages would run again. Changes nothing. */
  AuditReport audit(DedupStore marks, MarkIds ids) throws InterruptedException;

  /**
   * Returns whether the group has this number of members, and each of them has a partition. Only
   * Kafka shows that.
   */
  default boolean isComplete(int members) throws InterruptedException {
    return true;
  }

  /** Kills the broker with SIGKILL and starts it again on its data. Returns when it answers. */
  void restart();

  /** Ends the broker and deletes its data. */
  @Override
  void close();
}
