package io.hapax.operations.rocketmq;

import io.github.resilience4j.retry.Retry;
import io.hapax.errors.AuditFailedException;
import io.hapax.operations.internal.RetryingCalls;
import io.hapax.operations.internal.TopicReader;
import io.hapax.operations.text.Text;
import io.hapax.operations.topic.ScannedRange;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import io.hapax.rocketmq.Coordinates;
import io.hapax.rocketmq.internal.Starting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.consumer.DefaultMQPullConsumer;
import org.apache.rocketmq.client.consumer.PullResult;
import org.apache.rocketmq.client.consumer.PullStatus;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.impl.MQClientAPIImpl;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.MixAll;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.RPCHook;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.apache.rocketmq.remoting.protocol.NamespaceUtil;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.jspecify.annotations.Nullable;

/**
 * What brokers say of topics, and their messages. It reads as the group of RocketMQ's own tools,
 * which every broker knows: any other name would become a group there. Nothing is ever registered
 * of how far it is.
 */
@SuppressWarnings("deprecation") // its successor cannot read without a group of its own
final class ToolsClient implements AutoCloseable {

  static final int TIMEOUT_MILLIS = 10_000;

  private static final int AT_ONCE = 1_000;

  /** An audit of hours should outlive the restart of a broker. */
  private static final Retry RETRY =
      RetryingCalls.when("hapax-tool-pulls", ToolsClient::isUnreachable);

  /** A call to the brokers. */
  interface Call<T> {
    T make() throws MQClientException, RemotingException, MQBrokerException, InterruptedException;
  }

  private final DefaultMQPullConsumer consumer;
  private final @Nullable String namespace;

  private ToolsClient(DefaultMQPullConsumer consumer, @Nullable String namespace) {
    this.consumer = consumer;
    this.namespace = namespace;
  }

  /**
   * Connects as the caller's clients do. A namespace of theirs is put to the names here: with one
   * of its own this client would read as another group than that of the tools.
   */
  static ToolsClient open(ClientConfig like, @Nullable RPCHook credentials) {
    DefaultMQPullConsumer consumer =
        new DefaultMQPullConsumer(MixAll.TOOLS_CONSUMER_GROUP, credentials);
    consumer.resetClientConfig(like.cloneClientConfig());
    consumer.setNamespace("");
    consumer.setInstanceName("hapax-" + UUID.randomUUID()); // a client of its own
    try {
      Starting.orEnd(consumer::start, consumer::shutdown);
      return new ToolsClient(consumer, like.getNamespace());
    } catch (MQClientException e) {
      throw Text.of("brokers.client", String.valueOf(e.getErrorMessage())).failure(e);
    }
  }

  /** The name under which the brokers know a topic or a group of the caller's clients. */
  String wireName(String name) {
    return NamespaceUtil.wrapNamespace(namespace, name);
  }

  /** Returns ranges as {@link TopicReader#ranges} does, by the names of queues. */
  List<ScannedRange> ranges(TopicPart part, StartingPoint from) throws InterruptedException {
    List<ScannedRange> ranges = new ArrayList<>();
    for (MessageQueue queue : queues(part)) {
      ranges.add(TopicReader.range(
          Coordinates.queueName(queue),
          call(() -> consumer.minOffset(queue)),
          call(() -> consumer.maxOffset(queue)),
          from,
          time -> Math.max(
              0, call(() -> consumer.searchOffset(queue, time.instant().toEpochMilli())))));
    }
    return ranges;
  }

  Map<String, MessageQueue> queuesByName(TopicPart part) throws InterruptedException {
    Map<String, MessageQueue> queues = new LinkedHashMap<>();
    queues(part).forEach(queue -> queues.put(Coordinates.queueName(queue), queue));
    return queues;
  }

  private List<MessageQueue> queues(TopicPart part) throws InterruptedException {
    requireTopic(part.topic());
    Set<MessageQueue> all =
        new TreeSet<>(call(() -> consumer.fetchSubscribeMessageQueues(wireName(part.topic()))));
    for (int wanted : part.partitions()) {
      if (all.stream().noneMatch(it -> it.getQueueId() == wanted)) {
        throw Text.of("topic.queue", wanted, part.topic()).refusal();
      }
    }
    return all.stream().filter(it -> part.holds(it.getQueueId())).toList();
  }

  private void requireTopic(String topic) throws InterruptedException {
    if (!knows(topic)) {
      throw Text.of("topic.unknown", topic).refusal();
    }
    var unused = // the addresses of its brokers
        call(() -> client().updateTopicRouteInfoFromNameServer(wireName(topic)));
  }

  boolean knows(String topic) throws InterruptedException {
    try {
      var unused =
          call(() -> api().getTopicRouteInfoFromNameServer(wireName(topic), TIMEOUT_MILLIS));
      return true;
    } catch (AuditFailedException e) {
      if (e.getCause() instanceof MQClientException refusal
          && refusal.getResponseCode() == ResponseCode.TOPIC_NOT_EXIST) {
        return false;
      }
      throw e;
    }
  }

  /**
   * Pulls messages of a queue from an offset on. The broker decides how many it returns. Each
   * message gets the topic name that a consumer of the namespace sees, also if it lies in a retry
   * topic. Its id is therefore the same as in that consumer.
   */
  PullResult pull(MessageQueue queue, long offset) throws InterruptedException {
    PullResult pulled = patiently(() -> consumer.pull(queue, "*", offset, AT_ONCE));
    if (pulled.getPullStatus() == PullStatus.FOUND) {
      pulled.getMsgFoundList().forEach(this::asConsumed);
    }
    return pulled;
  }

  private void asConsumed(MessageExt message) {
    message.setTopic(NamespaceUtil.withoutNamespace(message.getTopic(), namespace));
    String sentTo = message.getProperty(MessageConst.PROPERTY_RETRY_TOPIC);
    if (sentTo != null) {
      MessageAccessor.putProperty(
          message,
          MessageConst.PROPERTY_RETRY_TOPIC,
          NamespaceUtil.withoutNamespace(sentTo, namespace));
    }
  }

  /**
   * Sends a message, to the queue that it came from if that is one of its topic, else to any of
   * them, and waits for the broker to store it.
   */
  void send(Message message, String coordinates) throws InterruptedException {
    DefaultMQProducer producer = client().getDefaultMQProducer();
    producer.setMaxMessageSize(Integer.MAX_VALUE); // the broker's limit counts
    message.setTopic(wireName(message.getTopic()));
    String place = wireName(coordinates);
    SendResult result = call(() -> {
      Optional<MessageQueue> home = producer.fetchPublishMessageQueues(message.getTopic()).stream()
          .filter(queue -> place.startsWith(wireName(Coordinates.queueName(queue)) + '@'))
          .findFirst();
      return home.isPresent()
          ? producer.send(message, home.get(), TIMEOUT_MILLIS)
          : producer.send(message, TIMEOUT_MILLIS);
    });
    if (result.getSendStatus() != SendStatus.SEND_OK) {
      throw Text.of("brokers.send", result.getSendStatus()).failure();
    }
  }

  /** The address of the master of a queue. */
  String master(MessageQueue queue) {
    String address = client().findBrokerAddressInPublish(queue.getBrokerName());
    if (address == null) {
      throw Text.of("brokers.no-master", queue.getBrokerName()).failure();
    }
    return address;
  }

  MQClientAPIImpl api() {
    return client().getMQClientAPIImpl();
  }

  private MQClientInstance client() {
    return consumer.getDefaultMQPullConsumerImpl().getRebalanceImpl().getmQClientFactory();
  }

  /** Makes a call; what the brokers refuse is the cause of the exception. */
  static <T> T call(Call<T> call) throws InterruptedException {
    try {
      return call.make();
    } catch (MQClientException | RemotingException | MQBrokerException e) {
      throw Text.of("brokers.answer", String.valueOf(answer(e).getMessage())).failure(e);
    } catch (IllegalStateException e) {
      RemotingException lost = Starting.lostNameServer(e).orElseThrow(() -> e);
      throw Text.of("brokers.name-server", String.valueOf(lost.getMessage())).failure(lost);
    }
  }

  /** Makes a call that changes nothing, again if the broker cannot be reached for a moment. */
  static <T> T patiently(Call<T> read) throws InterruptedException {
    try {
      return RETRY.executeCallable(() -> call(read));
    } catch (InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e); // a call throws nothing else
    }
  }

  private static boolean isUnreachable(Throwable failure) {
    return failure instanceof AuditFailedException
        && failure.getCause() != null
        && (failure.getCause() instanceof RemotingException
            || failure.getCause().getCause() instanceof RemotingException);
  }

  /** Around it the client often says no more than whom it has asked. */
  private static Throwable answer(Exception failure) {
    Throwable cause = failure.getCause();
    return cause instanceof MQBrokerException || cause instanceof RemotingException
        ? cause
        : failure;
  }

  @Override
  public void close() {
    consumer.shutdown();
  }
}
