package io.hapax.operations.rocketmq;

import static org.awaitility.Awaitility.await;

import io.hapax.DeadLetter;
import io.hapax.IdempotentReceiver;
import io.hapax.operations.TestBroker;
import io.hapax.operations.audit.AuditSettings;
import io.hapax.operations.topic.TopicPart;
import io.hapax.rocketmq.Coordinates;
import io.hapax.rocketmq.RocketMqFingerprints;
import io.hapax.rocketmq.RocketMqIds;
import io.hapax.rocketmq.RocketMqReceiver;
import io.hapax.rocketmq.internal.DeadLetterMessage;
import io.hapax.servers.LocalRocketMq;
import io.hapax.store.DedupStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.PullResult;
import org.apache.rocketmq.client.consumer.PullStatus;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.common.TopicConfig;
import org.apache.rocketmq.common.constant.PermName;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.RPCHook;
import org.apache.rocketmq.remoting.protocol.header.UpdateConsumerOffsetRequestHeader;

/** A real RocketMQ broker for all tests of this JVM; it ends with the JVM. */
public final class RocketMqTestBroker implements TestBroker {

  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final int MILLIS = 20_000;
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  public static final RocketMqTestBroker INSTANCE =
      new RocketMqTestBroker(LocalRocketMq.start(), Optional.empty());

  static final AuditSettings<MessageExt> SETTINGS =
      AuditSettings.of("orders", RocketMqIds.key(), RocketMqFingerprints.body());

  private final LocalRocketMq server;
  private final Optional<RPCHook> credentials;
  private final ToolsClient tools;
  private final DefaultMQProducer producer;

  RocketMqTestBroker(LocalRocketMq server, Optional<RPCHook> credentials) {
    this.server = server;
    this.credentials = credentials;
    this.tools = ToolsClient.open(client(new ClientConfig()), credentials.orElse(null));
    this.producer = client(new DefaultMQProducer("senders", credentials.orElse(null)));
    producer.setSendMsgTimeout(MILLIS);
    try {
      producer.start();
    } catch (MQClientException e) {
      throw new IllegalStateException(e);
    }
  }

  <C extends ClientConfig> C client(C client) {
    client.setNamesrvAddr(server.nameServer());
    client.setInstanceName("client-" + NUMBERS.incrementAndGet());
    client.setPollNameServerInterval(1_000);
    client.setHeartbeatBrokerInterval(1_000);
    client.setMqClientApiTimeout(MILLIS); // a loaded machine is slow
    client.setUseTLS(credentials.isPresent());
    return client;
  }

  ToolsClient tools() {
    return tools;
  }

  String broker() {
    return server.broker();
  }

  @Override
  public RocketMqOperations operations() {
    RocketMqOperations unsigned = RocketMqOperations.of(SETTINGS, client(new ClientConfig()));
    return credentials.map(unsigned::withCredentials).orElse(unsigned);
  }

  @Override
  public String topic(int parts) {
    String name = "topic-" + NUMBERS.incrementAndGet();
    server.createTopic(name, parts);
    return name;
  }

  MessageQueue queue(String topic, int part) {
    return new MessageQueue(topic, "local", part);
  }

  @Override
  public String place(String topic, int part) {
    return Coordinates.queueName(queue(topic, part));
  }

  @Override
  public void send(String topic, int part, List<Sent> messages) throws Exception {
    for (Sent message : messages) {
      send(message(topic, message), part);
    }
  }

  private static Message message(String topic, Sent sent) {
    Message message =
        new Message(topic, "", sent.id(), sent.body().getBytes(StandardCharsets.UTF_8));
    sent.headers().forEach(message::putUserProperty);
    return message;
  }

  /** Returns when the message can be read: a broker acknowledges it a little earlier. */
  void send(Message message, int part) {
    MessageQueue queue = queue(message.getTopic(), part);
    SendResult sent = await()
        .atMost(BOUND)
        .ignoreExceptionsInstanceOf(MQClientException.class) // its route is not known yet
        .until(() -> producer.send(message, queue), it -> true);
    await()
        .atMost(BOUND)
        .until(() -> tools.api().getMaxOffset(broker(), queue, MILLIS) > sent.getQueueOffset());
  }

  @Override
  public List<Sent> read(String topic, int part) throws Exception {
    return messages(topic, part).stream().map(RocketMqTestBroker::sent).toList();
  }

  List<MessageExt> messages(String topic, int part) throws Exception {
    tools.queuesByName(TopicPart.all(topic)); // learns the addresses of its brokers
    MessageQueue queue = queue(topic, part);
    long end = tools.api().getMaxOffset(broker(), queue, MILLIS);
    List<MessageExt> all = new ArrayList<>();
    for (long offset = 0; offset < end; ) {
      PullResult pulled = tools.pull(queue, offset);
      if (pulled.getPullStatus() == PullStatus.FOUND) {
        all.addAll(pulled.getMsgFoundList());
      }
      offset = pulled.getNextBeginOffset();
    }
    return all;
  }

  private static Sent sent(MessageExt message) {
    Map<String, String> headers = new TreeMap<>(message.getProperties());
    headers.keySet().removeIf(name -> !DeadLetterMessage.isTheirs(name) || name.equals("KEYS"));
    return new Sent(
        Optional.ofNullable(message.getKeys()).orElse(""),
        new String(message.getBody(), StandardCharsets.UTF_8),
        new HashMap<>(headers));
  }

  @Override
  public AutoCloseable service(
      String topic, String group, DedupStore store, Consumer<String> effects) throws Exception {
    DefaultMQPushConsumer consumer =
        client(new DefaultMQPushConsumer(group, credentials.orElse(null)));
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.subscribe(topic, "*");
    IdempotentReceiver<MessageExt> receiver = IdempotentReceiver.<MessageExt>builder("orders")
        .id(RocketMqIds.key())
        .fingerprint(RocketMqFingerprints.body())
        .deadLetters(letter -> {})
        .leased(
            store,
            delivery ->
                effects.accept(new String(delivery.message().getBody(), StandardCharsets.UTF_8)));
    RocketMqReceiver running = RocketMqReceiver.start(receiver, consumer);
    return () -> {
      running.close();
      receiver.close();
    };
  }

  @Override
  public String group() {
    return group("");
  }

  /** Makes a group with a prefix, and returns its name without that. */
  String group(String prefix) {
    String group = "group-" + NUMBERS.incrementAndGet();
    server.createGroup(prefix + group);
    return group;
  }

  void createTopic(String name, int queues) {
    server.createTopic(name, queues);
  }

  @Override
  public void commit(String group, String topic, int part, long offset) throws Exception {
    UpdateConsumerOffsetRequestHeader header = new UpdateConsumerOffsetRequestHeader();
    header.setConsumerGroup(group);
    header.setTopic(topic);
    header.setQueueId(part);
    header.setCommitOffset(offset);
    tools.api().updateConsumerOffset(broker(), header, MILLIS);
  }

  @Override
  public long committed(String group, String topic, int part) throws Exception {
    return new RocketMqGroup(tools, group)
        .committed(TopicPart.all(topic))
        .getOrDefault(place(topic, part), -1L);
  }

  @Override
  public Set<String> groups() throws Exception {
    return tools
        .api()
        .getAllSubscriptionGroup(broker(), MILLIS)
        .getSubscriptionGroupTable()
        .keySet()
        .stream()
        .filter(name -> !name.contains("group-"))
        .collect(Collectors.toSet());
  }

  @Override
  public void bury(
      String letters, DeadLetter<Sent> letter, String topic, Map<String, String> headers) {
    MessageExt died = new MessageExt();
    died.setTopic(topic);
    died.setKeys(letter.message().id());
    died.setBody(letter.message().body().getBytes(StandardCharsets.UTF_8));
    letter.message().headers().forEach(died::putUserProperty);
    Message record = DeadLetterMessage.of(TestBroker.of(died, letter), letters);
    headers.forEach(record::putUserProperty);
    send(record, 0);
  }

  @Override
  public void delete(String topic) throws Exception {
    tools.api().deleteTopicInBroker(broker(), topic, MILLIS);
    tools.api().deleteTopicInNameServer(server.nameServer(), topic, MILLIS);
    await().atMost(BOUND).until(() -> !tools.knows(topic));
  }

  @Override
  public void refuse(String topic, boolean refused) throws Exception {
    int permission = refused ? PermName.PERM_READ : PermName.PERM_READ | PermName.PERM_WRITE;
    tools.api().createTopic(broker(), "TBW102", new TopicConfig(topic, 2, 2, permission), MILLIS);
  }
}
