package io.hapax.rocketmq;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.exception.OffsetNotFoundException;
import org.apache.rocketmq.client.impl.MQClientAPIImpl;
import org.apache.rocketmq.client.impl.MQClientManager;
import org.apache.rocketmq.client.impl.consumer.DefaultMQPushConsumerImpl;
import org.apache.rocketmq.client.impl.consumer.ProcessQueue;
import org.apache.rocketmq.client.impl.consumer.RebalanceImpl;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.ServiceState;
import org.apache.rocketmq.common.TopicConfig;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.apache.rocketmq.remoting.protocol.NamespaceUtil;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.apache.rocketmq.remoting.protocol.header.QueryConsumerOffsetRequestHeader;
import org.apache.rocketmq.remoting.protocol.header.UpdateConsumerOffsetRequestHeader;
import org.jspecify.annotations.Nullable;

/** The client has no other way to these internals. Usable once the consumer was started. */
final class ClientInternals {

  static final String RETRY_PREFIX = "%RETRY%";
  static final String DEAD_LETTER_PREFIX = "%DLQ%";
  static final int TIMEOUT_MILLIS = 5_000;

  private static final long MASTER = 0;
  private static final String TEMPLATE_TOPIC = "TBW102";

  private final ClientConfig consumer;
  private final Supplier<String> group;
  private final Supplier<@Nullable MQClientInstance> running;

  ClientInternals(DefaultMQPushConsumer consumer) {
    this.consumer = consumer;
    this.group = consumer::getConsumerGroup;
    this.running = () -> implementation(consumer).getmQClientFactory();
  }

  ClientInternals(DefaultLitePullConsumer consumer) {
    this.consumer = consumer;
    this.group = consumer::getConsumerGroup;
    this.running = () -> consumer.isRunning()
        ? MQClientManager.getInstance().getOrCreateMQClientInstance(consumer)
        : null;
  }

  static Set<String> subscribedTopics(DefaultMQPushConsumer consumer) {
    return Set.copyOf(implementation(consumer).getSubscriptionInner().keySet());
  }

  static boolean isRunning(DefaultMQPushConsumer consumer) {
    return implementation(consumer).getServiceState() == ServiceState.RUNNING;
  }

  /**
   * Returns the group with its namespaces, the same before and after the start. Groups of one name
   * in two namespaces are two consumers, whose marks must not meet.
   */
  @SuppressWarnings("deprecation") // the old kind of namespace is deprecated, and still works
  static String consumerName(DefaultMQPushConsumer consumer) {
    return NamespaceUtil.wrapNamespace(
        consumer.getNamespaceV2(), consumer.withNamespace(consumer.getConsumerGroup()));
  }

  /** The group's name gets its namespace only when the consumer starts. */
  String group() {
    return group.get();
  }

  /**
   * Gives a queue up. This ends when the consumer is restarted, when the queue returns from another
   * consumer, or when the client starts the queue anew, two minutes after its last pull. Until then
   * the client ignores the answers of listeners for the queue, so its messages are neither
   * acknowledged nor sent back. The next consumer of the queue finds them there.
   */
  static void giveUp(DefaultMQPushConsumer consumer, MessageQueue queue) {
    ProcessQueue held = held(consumer, queue);
    if (held != null) {
      held.setDropped(true);
    }
  }

  /**
   * Releases a queue that was assigned to another consumer while an orderly listener handled a
   * message of it. The client waits half a second for the listener, and tries again only at its
   * next rebalance. If the queue is assigned to this consumer again by then, the client neither
   * releases it nor pulls from it. That lasts until two minutes after its last pull. Call this at
   * the end of the listener.
   */
  static void releaseDeferred(DefaultMQPushConsumer consumer, MessageQueue queue) {
    RebalanceImpl rebalance = implementation(consumer).getRebalanceImpl();
    ProcessQueue held = rebalance.getProcessQueueTable().get(queue);
    // A reset of offsets pauses the consumer, and looks for the queue in the table afterwards.
    if (held != null
        && isUnlockPending(held)
        && isConsumedHere(held)
        && !implementation(consumer).isPause()) {
      rebalance.unlock(queue, false); // first, because the next owner locks it
      rebalance.getProcessQueueTable().remove(queue, held);
    }
  }

  /** Returns whether the client has tried to unlock the queue without success. */
  private static boolean isUnlockPending(ProcessQueue held) {
    return held.isDropped() && held.getTryUnlockTimes() > 0;
  }

  /** An operator may have a message of the queue consumed meanwhile, on another thread. */
  private static boolean isConsumedHere(ProcessQueue held) {
    return held.getConsumeLock() instanceof ReentrantReadWriteLock lock
        && lock.getReadHoldCount() > 0;
  }

  /**
   * Returns whether its answer counts: the queue was not given up, and the client has not sent the
   * message back after {@code consumeTimeout}. An interrupted thread cannot find this out.
   */
  static boolean holds(DefaultMQPushConsumer consumer, MessageQueue queue, MessageExt message) {
    ProcessQueue held = held(consumer, queue);
    return held != null && !held.isDropped() && held.containsMessage(message);
  }

  private static @Nullable ProcessQueue held(DefaultMQPushConsumer consumer, MessageQueue queue) {
    return implementation(consumer).getRebalanceImpl().getProcessQueueTable().get(queue);
  }

  Set<String> masters() {
    Set<String> addresses = new TreeSet<>();
    client()
        .getTopicRouteTable()
        .values()
        .forEach(route -> route
            .getBrokerDatas()
            .forEach(broker -> Optional.ofNullable(broker.getBrokerAddrs().get(MASTER))
                .ifPresent(addresses::add)));
    return addresses;
  }

  MQClientAPIImpl api() {
    return client().getMQClientAPIImpl();
  }

  /** The client's own producer, with the consumer's credentials and namespace. */
  DefaultMQProducer producer() {
    return client().getDefaultMQProducer();
  }

  @SuppressWarnings("deprecation") // the old kind of namespace is deprecated, and still works
  String wireName(String topic) {
    return consumer.withNamespace(topic);
  }

  boolean knows(String topic) throws RemotingException, InterruptedException, MQClientException {
    try {
      var route = api().getTopicRouteInfoFromNameServer(topic, TIMEOUT_MILLIS);
      return route != null && !route.getQueueDatas().isEmpty();
    } catch (MQClientException e) {
      if (e.getResponseCode() == ResponseCode.TOPIC_NOT_EXIST) {
        return false;
      }
      throw e;
    }
  }

  /** Loads the route of a topic; an assignment without a subscription does not load it. */
  void findBrokers(String topic) {
    client().updateTopicRouteInfoFromNameServer(wireName(topic));
  }

  /** Makes the brokers know the group by a query for it: they refuse offsets of unknown groups. */
  void makeGroup() throws RemotingException, MQBrokerException, InterruptedException {
    for (String master : masters()) {
      var unused = api().getSubscriptionGroupConfig(master, group(), TIMEOUT_MILLIS);
    }
  }

  /** Writes the group's offset in a queue, and waits for the answer of the broker. */
  void writeOffset(MessageQueue queue, long offset)
      throws RemotingException, MQBrokerException, InterruptedException {
    UpdateConsumerOffsetRequestHeader order = new UpdateConsumerOffsetRequestHeader();
    order.setConsumerGroup(group());
    order.setTopic(wireName(queue.getTopic()));
    order.setQueueId(queue.getQueueId());
    order.setBrokerName(queue.getBrokerName());
    order.setCommitOffset(offset);
    String master = client().findBrokerAddressInPublish(queue.getBrokerName());
    api().updateConsumerOffset(master, order, TIMEOUT_MILLIS);
  }

  /** Needs the right to consume. The members do not matter. */
  void askForMembers(String master)
      throws RemotingException, MQBrokerException, InterruptedException {
    var unused = api().getConsumerIdListByGroup(master, group(), TIMEOUT_MILLIS);
  }

  long waitingForRetry(String master, int queues)
      throws RemotingException, MQBrokerException, InterruptedException {
    long waiting = 0;
    for (int number = 0; number < queues; number++) {
      MessageQueue queue = new MessageQueue(RETRY_PREFIX + group(), "", number);
      long from =
          Math.max(api().getMinOffset(master, queue, TIMEOUT_MILLIS), readUpTo(master, queue));
      waiting += Math.max(0, api().getMaxOffset(master, queue, TIMEOUT_MILLIS) - from);
    }
    return waiting;
  }

  private long readUpTo(String master, MessageQueue queue)
      throws RemotingException, MQBrokerException, InterruptedException {
    QueryConsumerOffsetRequestHeader question = new QueryConsumerOffsetRequestHeader();
    question.setConsumerGroup(group());
    question.setTopic(queue.getTopic());
    question.setQueueId(queue.getQueueId());
    question.setSetZeroIfNotFound(false);
    try {
      return api().queryConsumerOffset(master, question, TIMEOUT_MILLIS);
    } catch (OffsetNotFoundException e) {
      return 0;
    }
  }

  void createTopic(String topic)
      throws RemotingException, MQBrokerException, InterruptedException, MQClientException {
    for (String master : masters()) {
      api().createTopic(master, TEMPLATE_TOPIC, new TopicConfig(topic, 1, 1), TIMEOUT_MILLIS);
    }
  }

  boolean isStarted() {
    return running.get() != null;
  }

  private MQClientInstance client() {
    MQClientInstance client = running.get();
    if (client == null) {
      throw new IllegalStateException("consumer of group " + group() + " was not started");
    }
    return client;
  }

  @SuppressWarnings("deprecation") // deprecated since 2020, and still the only way
  private static DefaultMQPushConsumerImpl implementation(DefaultMQPushConsumer consumer) {
    return consumer.getDefaultMQPushConsumerImpl();
  }
}
