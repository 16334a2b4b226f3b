package io.hapax.operations.rocketmq;

import io.hapax.errors.AuditFailedException;
import io.hapax.operations.internal.GroupOffsets;
import io.hapax.operations.text.Text;
import io.hapax.operations.topic.ScannedRange;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import io.hapax.rocketmq.Coordinates;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.apache.rocketmq.remoting.protocol.header.QueryConsumerOffsetRequestHeader;
import org.apache.rocketmq.remoting.protocol.header.UpdateConsumerOffsetRequestHeader;

/** The offsets of a consumer group. */
record RocketMqGroup(ToolsClient brokers, String group) implements GroupOffsets {

  private static final int TIMEOUT_MILLIS = ToolsClient.TIMEOUT_MILLIS;

  @Override
  public List<ScannedRange> ranges(TopicPart part, StartingPoint from) throws InterruptedException {
    return brokers.ranges(part, from);
  }

  @Override
  public Members members(String topic) throws InterruptedException {
    boolean known = false;
    Set<String> all = new TreeSet<>();
    Optional<Text> running = Optional.empty();
    for (String master : masters(brokers.queuesByName(TopicPart.all(topic)).values())) {
      known |= isKnownTo(master);
      List<String> clients = clients(master);
      all.addAll(clients);
      if (!clients.isEmpty()) {
        running = Optional.of(Text.of("group.clients", clients, master));
      }
    }
    if (!known) {
      throw Text.of("group.unknown", group).refusal();
    }
    return new Members(all.size(), running);
  }

  @Override
  public Map<String, Long> committed(TopicPart part) throws InterruptedException {
    Map<String, Long> offsets = new HashMap<>();
    for (Map.Entry<String, MessageQueue> queue : brokers.queuesByName(part).entrySet()) {
      committed(queue.getValue()).ifPresent(offset -> offsets.put(queue.getKey(), offset));
    }
    return offsets;
  }

  /**
   * Moves the group queue by queue, and verifies its offsets afterwards. If the move fails in
   * between, some queues are moved and others are not. A new plan shows which.
   */
  @Override
  public boolean commit(TopicPart part, Map<String, Long> offsets) throws InterruptedException {
    Map<String, MessageQueue> queues = brokers.queuesByName(part);
    Map<MessageQueue, Long> wanted = new HashMap<>();
    for (Map.Entry<String, Long> move : offsets.entrySet()) {
      MessageQueue queue = queues.get(move.getKey());
      if (queue == null) {
        throw Text.of("group.place-gone", move.getKey()).failure();
      }
      wanted.put(queue, move.getValue());
    }
    for (Map.Entry<MessageQueue, Long> move : wanted.entrySet()) {
      commit(move.getKey(), move.getValue());
    }
    requireMoved(wanted);
    return true;
  }

  /**
   * Verifies the offsets. A broker may answer success and ignore an offset, and a client may
   * overwrite it.
   */
  void requireMoved(Map<MessageQueue, Long> wanted) throws InterruptedException {
    for (Map.Entry<MessageQueue, Long> move : wanted.entrySet()) {
      OptionalLong offset = committed(move.getKey());
      if (!offset.equals(OptionalLong.of(move.getValue()))) {
        throw Text.of(
                "group.not-moved",
                group,
                Coordinates.queueName(move.getKey()),
                offset.isPresent() ? Long.toString(offset.getAsLong()) : Text.of("offset.none"),
                move.getValue())
            .failure();
      }
    }
    for (String master : masters(wanted.keySet())) {
      List<String> clients = clients(master);
      if (!clients.isEmpty()) {
        throw Text.of("group.clients-now", clients, group, master).failure();
      }
    }
  }

  private Set<String> masters(Collection<MessageQueue> queues) {
    Set<String> masters = new TreeSet<>();
    queues.forEach(queue -> masters.add(brokers.master(queue)));
    return masters;
  }

  /** Reads the settings of all groups: a question about one group would create it. */
  private boolean isKnownTo(String master) throws InterruptedException {
    return ToolsClient.call(() -> brokers.api().getAllSubscriptionGroup(master, TIMEOUT_MILLIS))
        .getSubscriptionGroupTable()
        .containsKey(group);
  }

  private List<String> clients(String master) throws InterruptedException {
    try {
      return ToolsClient.call(
              () -> brokers.api().getConsumerConnectionList(master, group, TIMEOUT_MILLIS))
          .getConnectionSet()
          .stream()
          .map(it -> it.getClientId())
          .sorted()
          .toList();
    } catch (AuditFailedException e) {
      return unless(e, ResponseCode.CONSUMER_NOT_ONLINE, List.of());
    }
  }

  private OptionalLong committed(MessageQueue queue) throws InterruptedException {
    QueryConsumerOffsetRequestHeader question = new QueryConsumerOffsetRequestHeader();
    question.setConsumerGroup(group);
    question.setTopic(queue.getTopic());
    question.setQueueId(queue.getQueueId());
    question.setBrokerName(queue.getBrokerName());
    question.setSetZeroIfNotFound(false);
    try {
      return OptionalLong.of(ToolsClient.call(() ->
          brokers.api().queryConsumerOffset(brokers.master(queue), question, TIMEOUT_MILLIS)));
    } catch (AuditFailedException e) {
      return unless(e, ResponseCode.QUERY_NOT_FOUND, OptionalLong.empty());
    }
  }

  private void commit(MessageQueue queue, long offset) throws InterruptedException {
    UpdateConsumerOffsetRequestHeader order = new UpdateConsumerOffsetRequestHeader();
    order.setConsumerGroup(group);
    order.setTopic(queue.getTopic());
    order.setQueueId(queue.getQueueId());
    order.setBrokerName(queue.getBrokerName());
    order.setCommitOffset(offset);
    var unused = ToolsClient.call(() -> {
      brokers.api().updateConsumerOffset(brokers.master(queue), order, TIMEOUT_MILLIS);
      return queue;
    });
  }

  /** An answer that a broker gives as an error. */
  private static <T> T unless(AuditFailedException failure, int code, T answer) {
    if (failure.getCause() instanceof MQBrokerException refusal
        && refusal.getResponseCode() == code) {
      return answer;
    }
    throw failure;
  }

  @Override
  public void close() {
    brokers.close();
  }
}
