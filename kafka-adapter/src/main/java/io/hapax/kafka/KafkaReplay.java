package io.hapax.kafka;

import io.hapax.audit.AuditFailedException;
import io.hapax.audit.GroupReplay;
import io.hapax.audit.GroupStatus;
import io.hapax.audit.ReplayMove;
import io.hapax.audit.ReplayPlan;
import io.hapax.audit.ReplayRefusedException;
import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicPart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.ConsumerGroupState;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.apache.kafka.common.errors.UnknownMemberIdException;

/**
 * Moves a stopped consumer group to another place of a topic, so that it reads from there when it
 * is started. Messages that it has completed have marks and take no effect again.
 * {@link KafkaAudit#runAgain} counts beforehand which messages would run again. To run all messages
 * again on purpose, move the consumer's generation instead of deleting marks.
 *
 * <p>A group with members is refused, here and by the brokers themselves. A consumer that commits
 * for a group without being a member of it cannot be seen.
 */
public final class KafkaReplay implements GroupReplay {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final BrokerView brokers;
  private final String group;

  private KafkaReplay(BrokerView brokers, String group) {
    this.brokers = brokers;
    this.group = group;
  }

  /**
   * Connects.
   *
   * @param properties properties of a consumer or an admin client, with {@code bootstrap.servers}
   * @param group the group to move
   * @return a replay, to be closed by the caller
   * @throws IllegalArgumentException if the group has no name
   * @throws AuditFailedException if no client can be made of the properties
   */
  public static KafkaReplay of(Map<?, ?> properties, String group) {
    if (group.isBlank()) {
      throw new IllegalArgumentException("group is blank but must name a consumer group");
    }
    try {
      return new KafkaReplay(BrokerView.open(KafkaAudit.withoutGroup(properties), PATIENCE), group);
    } catch (KafkaException e) {
      throw new AuditFailedException("the brokers cannot be reached: " + e.getMessage(), e);
    }
  }

  @Override
  public ReplayPlan plan(TopicPart part, StartingPoint to) throws InterruptedException {
    Map<TopicPartition, PartitionRange> ranges = brokers.ranges(part, to);
    requireStopped();
    Map<TopicPartition, OffsetAndMetadata> committed = committed();
    if (ranges.keySet().stream().noneMatch(it -> committed.get(it) != null)) {
      throw new ReplayRefusedException("group " + group + " has no committed offset of topic "
          + part.topic() + ": there is nothing to move");
    }
    List<ReplayMove> moves = new ArrayList<>();
    ranges.forEach((partition, range) -> {
      OffsetAndMetadata now = committed.get(partition);
      if (now != null) { // else nothing is redelivered, and a move could skip unread records
        moves.add(new ReplayMove(
            partition.toString(), OptionalLong.of(now.offset()), range.from(), range.to()));
      }
    });
    return new ReplayPlan(group, part, to, moves);
  }

  @Override
  public void execute(ReplayPlan plan) throws InterruptedException {
    if (!plan.group().equals(group)) {
      throw new IllegalArgumentException(
          "plan is of group " + plan.group() + " but must be of group " + group);
    }
    requireStopped();
    Map<TopicPartition, OffsetAndMetadata> committed = committed();
    Map<TopicPartition, OffsetAndMetadata> wanted = new HashMap<>();
    for (ReplayMove move : plan.moves()) {
      TopicPartition partition = partitionOf(move);
      OffsetAndMetadata now = committed.get(partition);
      if (move.committed().orElse(-1) != (now == null ? -1 : now.offset())) {
        throw new ReplayRefusedException("group " + group + " has moved since the plan was made: "
            + partition + " is at " + (now == null ? "no offset" : now.offset())
            + " now. Nothing was moved");
      }
      wanted.put(partition, new OffsetAndMetadata(move.to()));
    }
    try {
      brokers.await(brokers.admin().alterConsumerGroupOffsets(group, wanted).all());
    } catch (AuditFailedException e) {
      if (e.getCause() instanceof UnknownMemberIdException
          || e.getCause() instanceof GroupNotEmptyException) {
        throw new ReplayRefusedException(
            "group " + group + " has members by now: stop them. Nothing was moved", e);
      }
      throw e;
    }
  }

  /**
   * Refuses a group that has members. Changes nothing.
   *
   * @throws IllegalArgumentException if the group does not exist
   * @throws ReplayRefusedException if it has members
   * @throws AuditFailedException if the brokers do not answer
   * @throws InterruptedException if the thread was interrupted
   */
  @SuppressWarnings("removal") // what replaces the state is missing in kafka-clients before 4.0
  public void requireStopped() throws InterruptedException {
    ConsumerGroupDescription description = described();
    ConsumerGroupState state = description.state();
    if (!description.members().isEmpty() || state != ConsumerGroupState.EMPTY) {
      throw new ReplayRefusedException("group " + group + " is " + state + " with members "
          + members(description) + ": stop them. Nothing was moved");
    }
  }

  /** Describes the group. Older brokers describe a group that does not exist as dead. */
  @SuppressWarnings("removal")
  private ConsumerGroupDescription described() throws InterruptedException {
    try {
      ConsumerGroupDescription description = BrokerView.of(
          group,
          brokers.await(brokers.admin().describeConsumerGroups(List.of(group)).all()));
      if (description.state() == ConsumerGroupState.DEAD) {
        throw new IllegalArgumentException("group " + group + " does not exist");
      }
      return description;
    } catch (AuditFailedException e) {
      if (e.getCause() instanceof GroupIdNotFoundException) {
        throw new IllegalArgumentException("group " + group + " does not exist", e);
      }
      throw e;
    }
  }

  /** {@inheritDoc} On Kafka it checks the whole group, whatever topic is named. */
  @Override
  public void requireStopped(String topic) throws InterruptedException {
    requireStopped();
  }

  @Override
  public GroupStatus status(String topic) throws InterruptedException {
    int members = described().members().size();
    Map<TopicPartition, OffsetAndMetadata> committed = committed();
    long lag = 0;
    for (PartitionRange range :
        brokers.ranges(TopicPart.all(topic), StartingPoint.beginning()).values()) {
      OffsetAndMetadata at = committed.get(range.partition());
      lag +=
          range.to() - Math.max(range.from(), at == null ? 0 : Math.min(range.to(), at.offset()));
    }
    return new GroupStatus(lag, members);
  }

  private static List<String> members(ConsumerGroupDescription description) {
    return description.members().stream()
        .map(it -> it.clientId() + " on " + it.host())
        .toList();
  }

  private Map<TopicPartition, OffsetAndMetadata> committed() throws InterruptedException {
    return brokers.await(
        brokers.admin().listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
  }

  static TopicPartition partitionOf(ReplayMove move) {
    int dash = move.place().lastIndexOf('-');
    return new TopicPartition(
        move.place().substring(0, dash), Integer.parseInt(move.place().substring(dash + 1)));
  }

  /** Closes the connection. */
  @Override
  public void close() {
    brokers.close();
  }
}
