package io.hapax.rocketmq;

import io.hapax.audit.AuditFailedException;
import io.hapax.audit.GroupReplay;
import io.hapax.audit.GroupStatus;
import io.hapax.audit.ReplayMove;
import io.hapax.audit.ReplayPlan;
import io.hapax.audit.ReplayRefusedException;
import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicPart;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.RPCHook;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.apache.rocketmq.remoting.protocol.header.QueryConsumerOffsetRequestHeader;
import org.apache.rocketmq.remoting.protocol.header.UpdateConsumerOffsetRequestHeader;
import org.jspecify.annotations.Nullable;

/**
 * Moves a stopped consumer group to another place of a topic, so that it reads from there when it
 * is started. Messages that the group has completed are known by their marks and take no effect
 * again. {@link RocketMqAudit#runAgain} reports beforehand whether that is so. To run all messages
 * again on purpose, move the consumer's generation instead of deleting marks.
 *
 * <p>A group with connected clients is refused. The brokers do not refuse it themselves: a client
 * that connects during the move may write its own offset over it. If RocketMQ's own tools have
 * reset the group, the broker ignores every other offset until the group has read again. It still
 * answers that all is well. Therefore the group is checked once more after the move: it must be at
 * the planned offsets, and still be stopped. Messages in the group's retry topic are not moved, and
 * are delivered as without the move.
 */
public final class RocketMqReplay implements GroupReplay {

  private static final int TIMEOUT_MILLIS = BrokerView.TIMEOUT_MILLIS;

  private final BrokerView brokers;
  private final String group;

  private RocketMqReplay(BrokerView brokers, String group) {
    this.brokers = brokers;
    this.group = brokers.wireName(group);
  }

  /**
   * Connects.
   *
   * @param like a client, or its settings: name server, namespace, TLS, time-outs. It is not
   *     started
   * @param group the group to move
   * @return a replay, to be closed by the caller
   * @throws IllegalArgumentException if the group has no name
   * @throws AuditFailedException if the client cannot start
   */
  public static RocketMqReplay of(ClientConfig like, String group) {
    return connect(like, null, group);
  }

  /**
   * Connects with credentials.
   *
   * @param like a client, or its settings: name server, namespace, TLS, time-outs. It is not
   *     started
   * @param credentials the hook that signs requests
   * @param group the group to move
   * @return a replay, to be closed by the caller
   * @throws IllegalArgumentException if the group has no name
   * @throws AuditFailedException if the client cannot start
   */
  public static RocketMqReplay of(ClientConfig like, RPCHook credentials, String group) {
    return connect(like, credentials, group);
  }

  private static RocketMqReplay connect(
      ClientConfig like, @Nullable RPCHook credentials, String group) {
    if (group.isBlank()) {
      throw new IllegalArgumentException("group is blank but must name a consumer group");
    }
    return new RocketMqReplay(BrokerView.open(like, credentials), group);
  }

  /**
   * What a replay would do. Changes nothing.
   *
   * @param part the topic; its partitions are the numbers of queues, on each broker that has them
   * @param to where to; a time is that at which the broker stored a message
   * @return the plan
   * @throws IllegalArgumentException if the topic, a queue or the group does not exist, or a queue
   *     ends before that place
   * @throws ReplayRefusedException if clients of the group are connected, or it has never read that
   *     topic
   * @throws AuditFailedException if the brokers do not answer
   * @throws InterruptedException if the thread was interrupted
   */
  @Override
  public ReplayPlan plan(TopicPart part, StartingPoint to) throws InterruptedException {
    Map<MessageQueue, QueueRange> ranges = brokers.ranges(part, to);
    requireStopped(ranges.keySet());
    List<ReplayMove> moves = new ArrayList<>();
    for (QueueRange range : ranges.values()) {
      moves.add(new ReplayMove(
          range.range().place(),
          committed(range.queue()),
          range.range().from(),
          range.range().to()));
    }
    if (moves.stream().allMatch(move -> move.committed().isEmpty())) {
      throw new ReplayRefusedException("group " + group + " has no offset of topic " + part.topic()
          + ": there is nothing to move");
    }
    // without an offset nothing is redelivered, and a move could skip unread messages
    moves.removeIf(move -> move.committed().isEmpty());
    return new ReplayPlan(group, part, to, moves);
  }

  /**
   * Moves the group as planned, queue by queue, and verifies its offsets afterwards. If the move
   * fails in between, some queues are moved and others are not. A new plan shows which.
   *
   * @param plan what {@link #plan} answered
   * @throws IllegalArgumentException if it is the plan of another group
   * @throws ReplayRefusedException if clients of the group are connected by now, or it has moved
   *     since then
   * @throws AuditFailedException if the brokers do not answer, or the group is not at its planned
   *     offsets afterwards, or clients have connected meanwhile
   * @throws InterruptedException if the thread was interrupted
   */
  @Override
  public void execute(ReplayPlan plan) throws InterruptedException {
    if (!plan.group().equals(group)) {
      throw new IllegalArgumentException(
          "plan is of group " + plan.group() + " but must be of group " + group);
    }
    Map<String, MessageQueue> queues = new HashMap<>();
    for (MessageQueue queue :
        brokers.ranges(plan.part(), StartingPoint.beginning()).keySet()) {
      queues.put(Coordinates.queueName(queue), queue);
    }
    requireStopped(queues.values());
    Map<MessageQueue, Long> wanted = new HashMap<>();
    for (ReplayMove move : plan.moves()) {
      MessageQueue queue = queues.get(move.place());
      if (queue == null || !committed(queue).equals(move.committed())) {
        throw new ReplayRefusedException("group " + group + " has moved in " + move.place()
            + " since the plan was made. Nothing was moved");
      }
      wanted.put(queue, move.to());
    }
    for (Map.Entry<MessageQueue, Long> move : wanted.entrySet()) {
      commit(move.getKey(), move.getValue());
    }
    requireMoved(wanted);
  }

  /**
   * Verifies the offsets. A broker may answer success and ignore an offset, and a client may
   * overwrite it.
   */
  void requireMoved(Map<MessageQueue, Long> wanted) throws InterruptedException {
    for (Map.Entry<MessageQueue, Long> move : wanted.entrySet()) {
      OptionalLong offset = committed(move.getKey());
      if (!offset.equals(OptionalLong.of(move.getValue()))) {
        throw new AuditFailedException("group " + group + " was not moved: in "
            + Coordinates.queueName(move.getKey()) + " it is at "
            + (offset.isPresent() ? offset.getAsLong() : "no offset") + " and not at "
            + move.getValue()
            + ". A client has written its own offset, or a reset by RocketMQ's own"
            + " tools is pending there: let the group read once, stop it, and plan again");
      }
    }
    for (String master : masters(wanted.keySet())) {
      List<String> clients = clients(master);
      if (!clients.isEmpty()) {
        throw new AuditFailedException("clients " + clients + " of group " + group
            + " have connected to broker " + master + " while it was moved, and may write their own"
            + " offsets over it: stop them, and plan again");
      }
    }
  }

  private Set<String> masters(Collection<MessageQueue> queues) {
    Set<String> masters = new TreeSet<>();
    queues.forEach(queue -> masters.add(brokers.master(queue)));
    return masters;
  }

  /**
   * Refuses a group that has connected clients. Changes nothing.
   *
   * @param topic a topic that the group reads: the brokers that have it are asked
   * @throws IllegalArgumentException if the topic or the group does not exist
   * @throws ReplayRefusedException if clients of the group are connected
   * @throws AuditFailedException if the brokers do not answer
   * @throws InterruptedException if the thread was interrupted
   */
  @Override
  public void requireStopped(String topic) throws InterruptedException {
    requireStopped(
        brokers.ranges(TopicPart.all(topic), StartingPoint.beginning()).keySet());
  }

  private void requireStopped(Collection<MessageQueue> queues) throws InterruptedException {
    boolean known = false;
    for (String master : masters(queues)) {
      known |= isKnownTo(master);
      List<String> clients = clients(master);
      if (!clients.isEmpty()) {
        throw new ReplayRefusedException("group " + group + " has clients " + clients
            + " on broker " + master + ": stop them. Nothing was moved");
      }
    }
    requireKnown(known);
  }

  private void requireKnown(boolean known) {
    if (!known) {
      throw new IllegalArgumentException("group " + group + " does not exist");
    }
  }

  @Override
  public GroupStatus status(String topic) throws InterruptedException {
    Map<MessageQueue, QueueRange> ranges =
        brokers.ranges(TopicPart.all(topic), StartingPoint.beginning());
    boolean known = false;
    Set<String> members = new TreeSet<>();
    for (String master : masters(ranges.keySet())) {
      known |= isKnownTo(master);
      members.addAll(clients(master));
    }
    requireKnown(known);
    long lag = 0;
    for (QueueRange range : ranges.values()) {
      long from = range.range().from();
      long to = range.range().to();
      lag += to - Math.max(from, Math.min(to, committed(range.queue()).orElse(0)));
    }
    return new GroupStatus(lag, members.size());
  }

  /** Asked for all groups, because a broker that is asked for one makes it. */
  private boolean isKnownTo(String master) throws InterruptedException {
    return BrokerView.call(() -> brokers.api().getAllSubscriptionGroup(master, TIMEOUT_MILLIS))
        .getSubscriptionGroupTable()
        .containsKey(group);
  }

  private List<String> clients(String master) throws InterruptedException {
    try {
      return BrokerView.call(
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
      return OptionalLong.of(BrokerView.call(() ->
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
    var unused = BrokerView.call(() -> {
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

  /** Closes the connection. */
  @Override
  public void close() {
    brokers.close();
  }
}
