package io.hapax.chaos;

import io.hapax.adapter.deadletter.DeadLetterMetadata;
import io.hapax.demo.BrokerException;
import io.hapax.demo.BrokerKind;
import io.hapax.demo.Json;
import io.hapax.demo.Order;
import io.hapax.demo.OrderChannel;
import io.hapax.operations.Broker;
import io.hapax.operations.replay.GroupReplay;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import io.hapax.servers.LocalServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** The broker of a run, with the topic of orders and the group that reads it. */
abstract class OrderBroker implements AutoCloseable {

  final String name;

  final String deadTopic;

  private final LocalServer server;
  private final List<StoredMessage> stored = new CopyOnWriteArrayList<>();

  OrderBroker(LocalServer server, String name, String deadTopic) {
    this.server = server;
    this.name = name;
    this.deadTopic = deadTopic;
  }

  static OrderBroker start(BrokerKind kind, Path folder, GroupPlan group) {
    return switch (kind) {
      case KAFKA -> KafkaOrderBroker.start(group);
      case ROCKETMQ -> RocketMqOrderBroker.start(folder);
    };
  }

  abstract String address();

  /** Describes how long the broker waits for vanished members, and production's values. */
  abstract String waits();

  /** Returns the longest time until the broker notices a vanished member. */
  abstract Duration memberTimeout();

  /** Returns the longest time that a new consumer may need to complete interrupted orders. */
  final Duration recoveryBound() {
    return HapaxConsumer.LEASE
        .plus(memberTimeout())
        .plus(CampaignStores.IDLE_LIMIT)
        .plus(Duration.ofSeconds(10));
  }

  /** Sends the messages, and returns when the broker has stored all of them. */
  abstract void publish(List<Posting> postings) throws BrokerException, InterruptedException;

  final void stored(StoredMessage message) {
    stored.add(message);
  }

  /** Counts the messages that a group has not acknowledged, or that wait for a retry. */
  abstract long lag(String group) throws BrokerException, InterruptedException;

  /** Returns a group's offsets by partition or queue. One without an offset may be missing. */
  abstract Map<Integer, Long> committed(String group) throws BrokerException, InterruptedException;

  /** Returns the messages before the group's offsets. Some may be {@link #waiting()}. */
  final List<StoredMessage> acknowledged() throws BrokerException, InterruptedException {
    Map<Integer, Long> offsets = committed(OrderChannel.GROUP);
    return stored.stream()
        .filter(each -> each.offset() < offsets.getOrDefault(each.part(), 0L))
        .toList();
  }

  /**
   * Returns the names of the messages that wait in the broker for a retry, because the group has
   * sent them back. Only a concurrent RocketMQ listener sends messages back. No member may run.
   */
  Set<String> waiting() throws BrokerException, InterruptedException {
    return Set.of();
  }

  abstract List<DeadOrder> deadLetters() throws BrokerException, InterruptedException;

  /**
   * Resets a group to the beginning, as an operator does. It must have no member. Does nothing if
   * the group has acknowledged nothing.
   */
  final void rewind(String group) throws InterruptedException {
    if (stored.isEmpty()) {
      return;
    }
    try (GroupReplay replay = operations(MarkIds.PLAIN).replay(group)) {
      if (replay.status(OrderChannel.TOPIC).lag() < stored.size()) {
        replay.execute(replay.plan(TopicPart.all(OrderChannel.TOPIC), StartingPoint.beginning()));
      }
    }
  }

  /** Resets the group of the run, and reads from its offsets that it gets all messages again. */
  final void rewind() throws BrokerException, InterruptedException {
    rewind(OrderChannel.GROUP);
    int missing = acknowledged().size();
    if (missing > 0) {
      throw new IllegalStateException(
          "a reset group would not read " + missing + " messages again");
    }
  }

  abstract Broker operations(MarkIds ids);

  /** Returns whether this many members have partitions. Only Kafka shows that. */
  boolean isComplete(int members) throws InterruptedException {
    return true;
  }

  /** Kills the broker with SIGKILL and starts it again on its data. Returns when it answers. */
  final void restart() {
    server.kill();
    server.restart();
  }

  @Override
  public void close() {
    server.close();
  }

  /** A stored message: its order, its unique name, which a copy has too, and its place. */
  record StoredMessage(String order, String name, int part, long offset) {}

  /** A message in the dead-letter topic: the id of its order, and the kind of dead letter. */
  record DeadOrder(String id, String kind) {

    static DeadOrder of(byte[] body, Function<String, Optional<String>> property) {
      return new DeadOrder(
          property
              .apply(OrderChannel.ID)
              .orElseGet(() -> Json.read(body, Order.class).id()),
          DeadLetterMetadata.read(property).kind());
    }
  }
}
