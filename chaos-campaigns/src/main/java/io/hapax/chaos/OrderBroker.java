package io.hapax.chaos;

import io.hapax.demo.BrokerException;
import io.hapax.demo.BrokerKind;
import io.hapax.demo.OrderChannel;
import io.hapax.operations.Broker;
import io.hapax.operations.audit.AuditReport;
import io.hapax.operations.topic.AuditProgress;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import io.hapax.servers.LocalServer;
import io.hapax.store.DedupStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The broker of a run, with the topic of orders and the group that reads it, as the parent process
 * sees it.
 */
abstract class OrderBroker implements AutoCloseable {

  private final LocalServer server;
  private final List<Position> positions = new ArrayList<>();

  OrderBroker(LocalServer server) {
    this.server = server;
  }

  /**
   * Starts a broker with an empty topic for this group.
   *
   * @param folder of the run
   */
  static OrderBroker start(BrokerKind kind, Path folder, GroupPlan group) {
    return switch (kind) {
      case KAFKA -> KafkaBroker.start(group);
      case ROCKETMQ -> RocketMqBroker.start(folder);
    };
  }

  /** Returns the address for consumers. */
  abstract String address();

  /**
   * Describes how long the broker waits for vanished members, and the usual values in production.
   */
  abstract String waits();

  /** Returns the longest time until the broker notices a vanished member. */
  abstract Duration memberTimeout();

  /** Returns the longest time that a new consumer may need to complete interrupted orders. */
  final Duration recoveryBound() {
    return HapaxConsumer.LEASE
        .plus(memberTimeout())
        .plus(Stores.IDLE_LIMIT)
        .plus(Duration.ofSeconds(10));
  }

  /** Sends the messages, and returns when the broker has stored all of them. */
  abstract void publish(List<Posting> postings) throws BrokerException, InterruptedException;

  /** Adds a message that the broker has stored. */
  final void stored(StoredMessage message, int part, long offset) {
    positions.add(new Position(message, part, offset));
  }

  /**
   * Returns the number of messages that the group has not acknowledged, with those that wait for a
   * retry.
   */
  abstract long lag() throws BrokerException, InterruptedException;

  /**
   * Returns the group's offsets by partition or queue. One without a committed offset may be
   * missing.
   */
  abstract Map<Integer, Long> committed() throws BrokerException, InterruptedException;

  /** Returns the messages before the group's offsets. Some may be {@link #waiting()}. */
  final List<StoredMessage> acknowledged() throws BrokerException, InterruptedException {
    Map<Integer, Long> offsets = committed();
    return positions.stream()
        .filter(each -> each.offset < offsets.getOrDefault(each.part, 0L))
        .map(Position::message)
        .toList();
  }

  /**
   * Returns the names of the messages that wait in the broker for a retry, because the group has
   * sent them back. Only a concurrent RocketMQ listener sends messages back. No member may run.
   */
  Set<String> waiting() throws BrokerException, InterruptedException {
    return Set.of();
  }

  /** Reads the whole dead-letter topic. */
  abstract List<DeadOrder> deadLetters() throws BrokerException, InterruptedException;

  /** Resets the group to the beginning. It must have no member. */
  abstract void rewind() throws BrokerException, InterruptedException;

  /** Returns what an operator uses to audit the topic. */
  abstract Broker operations(MarkIds ids);

  /** Reads the topic and reports which messages would run again. Changes nothing. */
  final AuditReport audit(DedupStore marks, MarkIds ids) throws InterruptedException {
    return operations(ids)
        .audit(marks, AuditProgress.NONE)
        .run(TopicPart.all(OrderChannel.TOPIC), StartingPoint.beginning());
  }

  /**
   * Returns whether the group has this number of members, and each of them has a partition. Only
   * Kafka shows that.
   */
  boolean isComplete(int members) throws InterruptedException {
    return true;
  }

  /** Kills the broker with SIGKILL and starts it again on its data. Returns when it answers. */
  final void restart() {
    server.kill();
    server.restart();
  }

  /** Ends the broker and deletes its data. */
  @Override
  public void close() {
    server.close();
  }

  private record Position(StoredMessage message, int part, long offset) {}
}
