package io.hapax.operations.kafka;

import io.hapax.errors.AuditFailedException;
import io.hapax.kafka.internal.BrokerView;
import io.hapax.operations.internal.GroupOffsets;
import io.hapax.operations.text.Text;
import io.hapax.operations.topic.ScannedRange;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.ConsumerGroupState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.apache.kafka.common.errors.UnknownMemberIdException;

/**
 * The offsets of a consumer group. The brokers refuse to move a group that has members. A consumer
 * that commits for a group without being a member of it cannot be seen.
 */
record KafkaGroup(TopicRecords<?, ?> topics, String group) implements GroupOffsets {

  @Override
  public List<ScannedRange> ranges(TopicPart part, StartingPoint from) throws InterruptedException {
    return topics.ranges(part, from);
  }

  @Override
  @SuppressWarnings("removal") // what replaces the state is missing in kafka-clients before 4.0
  public Members members(String topic) throws InterruptedException {
    ConsumerGroupDescription description = described();
    List<String> members = description.members().stream()
        .map(it -> it.clientId() + " on " + it.host())
        .toList();
    ConsumerGroupState state = description.state();
    return new Members(
        members.size(),
        members.isEmpty() && state == ConsumerGroupState.EMPTY
            ? Optional.empty()
            : Optional.of(Text.of("group.members", state, members)));
  }

  /** Describes the group. Older brokers describe a group that does not exist as dead. */
  @SuppressWarnings("removal")
  private ConsumerGroupDescription described() throws InterruptedException {
    BrokerView brokers = topics.brokers();
    try {
      ConsumerGroupDescription description = BrokerView.of(
          group,
          brokers.await(brokers.admin().describeConsumerGroups(List.of(group)).all()));
      if (description.state() == ConsumerGroupState.DEAD) {
        throw Text.of("group.unknown", group).refusal();
      }
      return description;
    } catch (AuditFailedException e) {
      if (e.getCause() instanceof GroupIdNotFoundException) {
        throw Text.of("group.unknown", group).refusal();
      }
      throw e;
    }
  }

  @Override
  public Map<String, Long> committed(TopicPart part) throws InterruptedException {
    BrokerView brokers = topics.brokers();
    Map<TopicPartition, OffsetAndMetadata> found = brokers.await(
        brokers.admin().listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
    Map<String, Long> offsets = new HashMap<>();
    found.forEach((partition, offset) -> {
      if (offset != null && partition.topic().equals(part.topic())) {
        offsets.put(partition.toString(), offset.offset());
      }
    });
    return offsets;
  }

  @Override
  public boolean commit(TopicPart part, Map<String, Long> offsets) throws InterruptedException {
    Map<TopicPartition, OffsetAndMetadata> wanted = new HashMap<>();
    offsets.forEach((place, offset) ->
        wanted.put(TopicRecords.partition(place), new OffsetAndMetadata(offset)));
    BrokerView brokers = topics.brokers();
    try {
      brokers.await(brokers.admin().alterConsumerGroupOffsets(group, wanted).all());
      return true;
    } catch (AuditFailedException e) {
      if (e.getCause() instanceof UnknownMemberIdException
          || e.getCause() instanceof GroupNotEmptyException) {
        return false;
      }
      throw e;
    }
  }

  @Override
  public void close() {
    topics.close();
  }
}
