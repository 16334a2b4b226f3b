package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.DeadLetterPublisher;
import io.hapax.Delivery;
import io.hapax.IdempotentReceiver;
import io.hapax.LeaseSettings;
import io.hapax.MessageHandler;
import io.hapax.ReceiverBuilder;
import io.hapax.ReceiverListener;
import io.hapax.RetrySettings;
import io.hapax.adapter.Outcome;
import io.hapax.health.Problem;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.servers.LocalPostgres;
import io.hapax.servers.LocalRocketMq;
import io.hapax.store.DedupStore;
import io.hapax.store.InMemoryDedupStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.common.ClientErrorCode;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.ConsumeOrderlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.protocol.header.QueryConsumerOffsetRequestHeader;
import org.apache.rocketmq.remoting.protocol.header.UpdateConsumerOffsetRequestHeader;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/**
 * Consumers on one real broker, which ends with this JVM. Each test has a topic and a group of its
 * own.
 */
abstract class WithConsumers {

  private static final int ROUNDS_OF_A_SEEK = 50;
  static final Duration BOUND = Duration.ofSeconds(60);
  static final String ALL = "*";

  private static final LocalRocketMq ROCKET_MQ = LocalRocketMq.start();
  private static final AtomicInteger NUMBERS = new AtomicInteger();
  private static final Pattern OF_OTHERS =
      Pattern.compile("(.+%)?(group-\\d+|nobody|operators|others|pullers)");
  private static @Nullable DefaultMQProducer producer;
  private static @Nullable ClientInternals operator;

  final int number = NUMBERS.incrementAndGet();
  final String topic = "topic-" + number;
  final String group = "group-" + number;
  volatile InstantSource clock = InstantSource.system();
  final InMemoryDedupStore store = storeThatKeeps(Duration.ofDays(8));
  final List<String> effects = new CopyOnWriteArrayList<>();
  final List<Outcome> outcomes = new CopyOnWriteArrayList<>();
  private final List<AutoCloseable> opened = new ArrayList<>();

  /** Is 0 once {@link #hold} has a message, which waits for {@link #goOn}. */
  final CountDownLatch running = new CountDownLatch(1);

  final CountDownLatch goOn = new CountDownLatch(1);

  /** Waits for {@link #BOUND} at most. */
  static ConditionFactory await() {
    return Awaitility.await().atMost(BOUND);
  }

  @AfterEach
  void closeAll() throws Exception {
    Collections.reverse(opened);
    for (AutoCloseable one : opened) {
      one.close();
    }
  }

  <A extends AutoCloseable> A open(A one) {
    opened.add(one);
    return one;
  }

  InMemoryDedupStore storeThatKeeps(Duration retention) {
    return new InMemoryDedupStore(() -> clock.instant(), retention);
  }

  /** From now on no time passes for the store, and no lease runs out. */
  void stopClock() {
    clock = InstantSource.fixed(Instant.now());
  }

  /** From now on the receivers find no memory in their calls to the store. */
  void exhaustMemory() {
    clock = () -> {
      throw new OutOfMemoryError("Java heap space");
    };
  }

  void freeMemory() {
    clock = InstantSource.system();
  }

  /** From now on the store's clock goes so far ahead. */
  void runClock(Duration ahead) {
    clock = InstantSource.offset(InstantSource.system(), ahead);
  }

  /** A moment after all that was sent before, and not after anything that is sent from now on. */
  static Instant moment() {
    Instant moment = Instant.now().plusMillis(1);
    await().until(() -> Instant.now().isAfter(moment));
    return moment;
  }

  /** A consumer of the topic from its beginning, not started. */
  DefaultMQPushConsumer consumer() throws MQClientException {
    return fromBeginning(client(new DefaultMQPushConsumer(group)));
  }

  DefaultMQPushConsumer fromBeginning(DefaultMQPushConsumer consumer) throws MQClientException {
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.subscribe(topic, ALL);
    return consumer;
  }

  static DefaultLitePullConsumer fromBeginning(DefaultLitePullConsumer consumer) {
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.setAutoCommit(false);
    return consumer;
  }

  void start(DefaultMQPushConsumer consumer) throws MQClientException {
    consumer.start();
    opened.add(consumer::shutdown);
  }

  void start(DefaultMQPushConsumer consumer, MessageListenerConcurrently listener)
      throws MQClientException {
    consumer.registerMessageListener(listener);
    start(consumer);
  }

  ReceiverBuilder<MessageExt> builder(DefaultMQPushConsumer consumer) {
    return builder(RocketMqDeadLetterPublisher.of(consumer));
  }

  ReceiverBuilder<MessageExt> builder(DefaultLitePullConsumer consumer) {
    return builder(RocketMqDeadLetterPublisher.of(consumer));
  }

  ReceiverBuilder<MessageExt> builder(DeadLetterPublisher<MessageExt> deadLetters) {
    return IdempotentReceiver.<MessageExt>builder(group)
        .id(RocketMqIds.standard())
        .fingerprint(RocketMqFingerprints.body())
        .lease(LeaseSettings.of(Duration.ofSeconds(3)))
        .retry(new RetrySettings(3, Duration.ofMillis(50), Duration.ofMillis(100)))
        .deadLetters(deadLetters)
        .listener(new ReceiverListener() {
          @Override
          public void onOutcome(String coordinates, Outcome outcome) {
            outcomes.add(outcome);
          }
        });
  }

  /** A running receiver of the topic. */
  RocketMqReceiver receive(MessageHandler<MessageExt> handler) throws MQClientException {
    return receive(consumer(), handler);
  }

  RocketMqReceiver receive(DefaultMQPushConsumer consumer, MessageHandler<MessageExt> handler)
      throws MQClientException {
    IdempotentReceiver<MessageExt> receiver = open(builder(consumer).leased(store, handler));
    return open(RocketMqReceiver.start(receiver, consumer));
  }

  /** A listener of the consumer, for {@link #start}. */
  IdempotentConcurrentListener listener(
      DefaultMQPushConsumer consumer, MessageHandler<MessageExt> handler) {
    return open(
        IdempotentConcurrentListener.of(consumer, open(builder(consumer).leased(store, handler))));
  }

  /** The ways to receive. */
  enum Way {
    CONCURRENT,
    ORDERLY,
    PULL
  }

  /** A running receiver of the topic, whichever way it receives. */
  record Started(Supplier<List<Problem>> problems, AutoCloseable end) {}

  Started start(Way way, DedupStore marks, MessageHandler<MessageExt> handler)
      throws MQClientException {
    if (way == Way.PULL) {
      DefaultLitePullConsumer consumer = pullConsumer(group);
      RocketMqPullReceiver receiver = open(
          RocketMqPullReceiver.builder(open(builder(consumer).leased(marks, handler)), consumer)
              .subscribe(topic, ALL)
              .start());
      return new Started(receiver::problems, receiver);
    }
    DefaultMQPushConsumer consumer = consumer();
    RocketMqReceiver.Builder builder =
        RocketMqReceiver.builder(open(builder(consumer).leased(marks, handler)), consumer);
    RocketMqReceiver receiver = open((way == Way.ORDERLY ? builder.orderly() : builder).start());
    return new Started(receiver::problems, receiver);
  }

  /** Wraps a listener of the consumer that does nothing, and starts the consumer. */
  IdempotentOrderlyListener startInOrder(DefaultMQPushConsumer consumer) throws MQClientException {
    IdempotentOrderlyListener listener = open(IdempotentOrderlyListener.wrap(
        consumer, store, (messages, context) -> ConsumeOrderlyStatus.SUCCESS));
    consumer.registerMessageListener(listener);
    start(consumer);
    return listener;
  }

  void createTopic(int queues) {
    createTopic(topic, queues);
  }

  static void createTopic(String name, int queues) {
    ROCKET_MQ.createTopic(name, queues);
  }

  static Marks marks(LocalPostgres database) {
    return new Marks(database.jdbcUrl(), database.username(), database.password());
  }

  static String nameServer() {
    return ROCKET_MQ.nameServer();
  }

  static String broker() {
    return ROCKET_MQ.broker();
  }

  static <C extends ClientConfig> C client(C client) {
    client.setNamesrvAddr(ROCKET_MQ.nameServer());
    client.setInstanceName("client-" + NUMBERS.incrementAndGet());
    client.setPollNameServerInterval(1_000);
    client.setHeartbeatBrokerInterval(1_000);
    client.setMqClientApiTimeout(20_000); // a loaded machine is slow
    return client;
  }

  /** Sends each text as key and body, to one queue after the other. */
  void send(String... texts) throws Exception {
    for (String text : texts) {
      send(message(text, text));
    }
  }

  /**
   * Sends a message. One of this test's topic can be read when this returns, unless it is delayed:
   * a broker acknowledges it a little earlier.
   */
  void send(Message message) throws Exception {
    SendResult sent = sent(message);
    if (message.getTopic().endsWith(topic)
        && message.getDelayTimeLevel() == 0
        && message.getDelayTimeMs() == 0
        && !isReadable(sent)) {
      await().until(() -> isReadable(sent));
    }
  }

  /** Sends again without a route: a client gives up if another request of it takes too long. */
  private static SendResult sent(Message message) throws Exception {
    try {
      return producer().send(message);
    } catch (MQClientException e) {
      if (!lacksRoute(e)) {
        throw e;
      }
    }
    return await()
        .ignoreExceptionsMatching(WithConsumers::lacksRoute)
        .until(() -> producer().send(message), it -> true);
  }

  private static boolean lacksRoute(Throwable e) {
    return e instanceof MQClientException failed
        && failed.getResponseCode() == ClientErrorCode.NOT_FOUND_TOPIC_EXCEPTION;
  }

  private static boolean isReadable(SendResult sent) throws Exception {
    return operator().api().getMaxOffset(broker(), sent.getMessageQueue(), 10_000)
        > sent.getQueueOffset();
  }

  /** Sends a message that is longer than a client allows by default. */
  void sendLong(Message message) throws Exception {
    DefaultMQProducer patient = client(new DefaultMQProducer("long-senders"));
    patient.setMaxMessageSize(Integer.MAX_VALUE);
    sendBy(patient, message);
  }

  /** Starts a producer, sends messages with it and shuts it down. */
  static void sendBy(DefaultMQProducer sender, Message... messages) throws Exception {
    sender.setSendMsgTimeout(20_000);
    sender.start();
    try {
      for (Message message : messages) {
        sender.send(message);
      }
    } finally {
      sender.shutdown();
    }
  }

  void sendTo(int queue, String... texts) throws Exception {
    for (String text : texts) {
      producer().send(message(text, text), (queues, message, number) -> queues.get(queue), queue);
    }
  }

  Message message(String key, String body) {
    return new Message(topic, "", key, body.getBytes(StandardCharsets.UTF_8));
  }

  /** The first queue of the topic. */
  MessageQueue queue() {
    return new MessageQueue(topic, "local", 0);
  }

  /** A message of it as the client hands it to a listener. */
  MessageExt delivered(String key) {
    MessageExt message = new MessageExt();
    message.setTopic(topic);
    message.setKeys(key);
    message.setBody(key.getBytes(StandardCharsets.UTF_8));
    return message;
  }

  static String body(MessageExt message) {
    return new String(message.getBody(), StandardCharsets.UTF_8);
  }

  static synchronized DefaultMQProducer producer() throws MQClientException {
    DefaultMQProducer running = producer;
    if (running == null) {
      running = client(new DefaultMQProducer("senders"));
      running.setSendMsgTimeout(20_000);
      running.start();
      producer = running;
    }
    return running;
  }

  Mark mark(String key) {
    return found(key).orElseThrow();
  }

  boolean isDone(String key) {
    return found(key).filter(mark -> mark.state() == MarkState.DONE).isPresent();
  }

  Optional<Mark> found(String key) {
    return store.find(List.of(MessageKey.of(group, topic + '/' + key))).get(0);
  }

  /** Claims the message as another consumer, for the time of a lease. */
  void claimedByAnother(String key, Duration lease) {
    store.claim(
        List.of(new ClaimRequest(
            MessageKey.of(group, topic + '/' + key),
            new Nonce(7, 7),
            Fingerprint.NONE,
            new Origin("somebody else", ""),
            new ClaimTerms(false, true, ClaimTerms.ANY_TIME))),
        lease);
  }

  long count(Class<? extends Outcome> kind) {
    return outcomes.stream().filter(kind::isInstance).count();
  }

  long deferred(Outcome.Reason reason) {
    return outcomes.stream()
        .filter(it -> it instanceof Outcome.Deferred deferred && deferred.reason() == reason)
        .count();
  }

  /** Returns all messages of a topic once there are {@code count} of them. */
  static List<MessageExt> read(String topic, int count) throws MQClientException {
    return read(client(new DefaultLitePullConsumer("nobody")), topic, count);
  }

  /** Reads them with a consumer that is not started yet. */
  static List<MessageExt> read(DefaultLitePullConsumer consumer, String topic, int count)
      throws MQClientException {
    consumer.setAutoCommit(false);
    consumer.start();
    try {
      long end = System.nanoTime() + BOUND.toNanos();
      List<MessageExt> messages = new ArrayList<>();
      for (int round = 0; messages.size() < count && System.nanoTime() < end; round++) {
        if (messages.isEmpty() && round % ROUNDS_OF_A_SEEK == 0) {
          assignFromBegin(consumer, topic);
        }
        messages.addAll(consumer.poll(100));
      }
      return messages;
    } finally {
      consumer.shutdown();
    }
  }

  /**
   * Reads the topic from its beginning. The client forgets a seek when a pull from where it was
   * before comes back after it. It waits only 6 s for an answer, so a question is asked again.
   */
  private static void assignFromBegin(DefaultLitePullConsumer consumer, String topic) {
    await().ignoreExceptionsInstanceOf(MQClientException.class).until(() -> {
      consumer.assign(consumer.fetchMessageQueues(topic));
      for (MessageQueue queue : consumer.assignment()) {
        consumer.seekToBegin(queue);
      }
      return true;
    });
  }

  /** A client that consumes nothing and ends with this JVM, for questions and orders to brokers. */
  static synchronized ClientInternals operator() throws MQClientException {
    ClientInternals running = operator;
    if (running == null) {
      DefaultMQPushConsumer client = client(new DefaultMQPushConsumer("operators"));
      client.registerMessageListener((MessageListenerConcurrently)
          (messages, context) -> ConsumeConcurrentlyStatus.CONSUME_SUCCESS);
      client.start();
      running = new ClientInternals(client);
      operator = running;
    }
    return running;
  }

  /** The groups that the broker knows, without those of tests that run beside this one. */
  Set<String> groups() throws Exception {
    return operator()
        .api()
        .getAllSubscriptionGroup(broker(), 10_000)
        .getSubscriptionGroupTable()
        .keySet()
        .stream()
        .filter(name -> name.endsWith(group) || !OF_OTHERS.matcher(name).matches())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Sets the group back to the beginning of a queue; it must have no members. */
  void rewind(int queue) throws Exception {
    UpdateConsumerOffsetRequestHeader header = new UpdateConsumerOffsetRequestHeader();
    header.setConsumerGroup(group);
    header.setTopic(topic);
    header.setQueueId(queue);
    header.setCommitOffset(0L);
    operator().api().updateConsumerOffset(broker(), header, 10_000);
  }

  void record(Delivery<MessageExt> delivery) {
    effects.add(body(delivery.message()));
  }

  void hold(Delivery<MessageExt> delivery) throws InterruptedException {
    running.countDown();
    goOn.await();
    record(delivery);
  }

  void awaitRunning() throws InterruptedException {
    assertThat(running.await(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  static String[] texts(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> prefix + i).toArray(String[]::new);
  }

  static DefaultLitePullConsumer pullConsumer(String ofGroup) {
    return fromBeginning(client(new DefaultLitePullConsumer(ofGroup)));
  }

  RocketMqPullReceiver pull(MessageHandler<MessageExt> handler) throws MQClientException {
    return open(pulling(pullConsumer(group), handler).subscribe(topic, ALL).start());
  }

  /** A builder that subscribes to nothing yet. */
  RocketMqPullReceiver.Builder pulling(
      DefaultLitePullConsumer consumer, MessageHandler<MessageExt> handler) {
    return RocketMqPullReceiver.builder(open(builder(consumer).leased(store, handler)), consumer);
  }

  /** Returns the group's offset, without a member: one that joins makes the others write theirs. */
  long stored(int queue) throws Exception {
    QueryConsumerOffsetRequestHeader question = new QueryConsumerOffsetRequestHeader();
    question.setConsumerGroup(group);
    question.setTopic(topic);
    question.setQueueId(queue);
    return operator().api().queryConsumerOffset(broker(), question, 10_000);
  }
}
