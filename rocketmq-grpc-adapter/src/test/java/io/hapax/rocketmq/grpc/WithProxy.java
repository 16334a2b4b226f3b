package io.hapax.rocketmq.grpc;

import static org.awaitility.Awaitility.await;

import io.hapax.IdempotentReceiver;
import io.hapax.LeaseSettings;
import io.hapax.ReceiverBuilder;
import io.hapax.ReceiverListener;
import io.hapax.RetrySettings;
import io.hapax.adapter.Outcome;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.servers.LocalRocketMq;
import io.hapax.servers.LocalRocketMq.MessageType;
import io.hapax.store.InMemoryDedupStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.rocketmq.client.apis.ClientConfiguration;
import org.apache.rocketmq.client.apis.ClientException;
import org.apache.rocketmq.client.apis.ClientServiceProvider;
import org.apache.rocketmq.client.apis.consumer.FilterExpression;
import org.apache.rocketmq.client.apis.consumer.SimpleConsumer;
import org.apache.rocketmq.client.apis.message.Message;
import org.apache.rocketmq.client.apis.message.MessageView;
import org.apache.rocketmq.client.apis.producer.Producer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/**
 * Consumers on one real broker with its proxy, which end with this JVM. Each test has a topic and a
 * group of its own. The proxy allows an invisible duration of 1 s and a long poll of 2.5 s; its own
 * minimum is 10 s and 5 s. The broker returns expired messages through one queue instead of eight,
 * because it returns one as soon as it finds a later entry in the same queue.
 */
abstract class WithProxy {

  static final Duration BOUND = Duration.ofMinutes(2);
  static final Duration SECOND = Duration.ofSeconds(1);
  static final Duration AWAIT = Duration.ofMillis(2_500); // the shortest that this proxy allows
  static final Duration LEASE = Duration.ofSeconds(2);

  /**
   * So long a client waits for each answer. It gives up its session with a proxy for good after
   * three seconds more, and on a loaded machine a first answer takes a while.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  static final ClientServiceProvider CLIENTS = ClientServiceProvider.loadService();

  private static final LocalRocketMq ROCKET_MQ = LocalRocketMq.builder()
      .setting("reviveQueueNum", "1")
      .setting("reviveInterval", "100")
      .grpc()
      .proxySetting("minInvisibleTimeMillsForRecv", "1000")
      .proxySetting("grpcClientConsumerMinLongPollingTimeoutMillis", "2500")
      .proxySetting("grpcClientConsumerMaxLongPollingTimeoutMillis", "5000")
      .start();
  private static final Producer PRODUCER = firstClient();
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  final int number = NUMBERS.incrementAndGet();
  final String topic = "topic-" + number;
  final String group = "group-" + number;
  final AtomicReference<Duration> skew = new AtomicReference<>(Duration.ZERO);
  final InMemoryDedupStore store =
      new InMemoryDedupStore(() -> Instant.now().plus(skew.get()), Duration.ofDays(8));
  final List<String> effects = new CopyOnWriteArrayList<>();
  final List<Outcome> outcomes = new CopyOnWriteArrayList<>();

  /** The coordinates of messages that were known when they came. */
  final Set<String> duplicates = ConcurrentHashMap.newKeySet();

  private final List<AutoCloseable> opened = new CopyOnWriteArrayList<>();
  private final List<CountDownLatch> latches = new CopyOnWriteArrayList<>();

  /**
   * What was opened last is closed first, so a consumer ends before what its messages need. No
   * latch blocks a handler by then.
   */
  @AfterEach
  void closeAll() throws Exception {
    latches.forEach(CountDownLatch::countDown);
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
  }

  /** For a handler to wait for; it goes on at the end of the test at the latest. */
  CountDownLatch untilTheEnd() {
    CountDownLatch latch = new CountDownLatch(1);
    latches.add(latch);
    return latch;
  }

  <A extends AutoCloseable> A open(A one) {
    opened.add(one);
    return one;
  }

  /** The topic and the group. */
  void create() {
    create(1_000, MessageType.NORMAL);
  }

  void create(int retryMaxTimes, MessageType type) {
    ROCKET_MQ.createTopic(topic, 2, type);
    ROCKET_MQ.createGroup(group, retryMaxTimes, type == MessageType.FIFO);
  }

  static void createTopic(String name) {
    ROCKET_MQ.createTopic(name, 1, MessageType.NORMAL);
  }

  static void createGroup(String name) {
    ROCKET_MQ.createGroup(name, 1_000, false);
  }

  static String endpoints() {
    return ROCKET_MQ.endpoints();
  }

  static ClientConfiguration configuration(String endpoints, Duration requestTimeout) {
    return ClientConfiguration.newBuilder()
        .setEndpoints(endpoints)
        .enableSsl(false)
        .setRequestTimeout(requestTimeout)
        .build();
  }

  static ClientConfiguration configuration() {
    return configuration(endpoints(), PATIENCE);
  }

  ReceiverBuilder<MessageView> builder() {
    return IdempotentReceiver.<MessageView>builder(group)
        .id(RocketMqGrpcIds.standard())
        .fingerprint(RocketMqGrpcFingerprints.body())
        .lease(LeaseSettings.of(LEASE))
        .retry(new RetrySettings(3, Duration.ofMillis(50), Duration.ofMillis(100)))
        .listener(new ReceiverListener() {
          @Override
          public void onOutcome(String coordinates, Outcome outcome) {
            if (outcome instanceof Outcome.Duplicate) {
              duplicates.add(coordinates);
            }
            outcomes.add(outcome);
          }
        });
  }

  SimpleConsumer simple() throws ClientException {
    return simple(group, topic, AWAIT, configuration());
  }

  /**
   * Of another group, which acknowledges nothing. When its message comes again, one that another
   * group has been hiding for shorter and has not acknowledged comes again too.
   */
  SimpleConsumer clock() throws ClientException {
    String clock = group + "-clock";
    createGroup(clock);
    return open(simple(clock, topic, AWAIT, configuration()));
  }

  static SimpleConsumer simple(
      String group, String topic, Duration await, ClientConfiguration configuration)
      throws ClientException {
    return CLIENTS
        .newSimpleConsumerBuilder()
        .setClientConfiguration(configuration)
        .setConsumerGroup(group)
        .setAwaitDuration(await)
        .setSubscriptionExpressions(Map.of(topic, FilterExpression.SUB_ALL))
        .build();
  }

  /** A receiver that gives back for no longer than it must, and renews long before it is late. */
  RocketMqGrpcReceiver.Builder receiving(IdempotentReceiver<MessageView> receiver)
      throws ClientException {
    return receiving(receiver, simple());
  }

  static RocketMqGrpcReceiver.Builder receiving(
      IdempotentReceiver<MessageView> receiver, SimpleConsumer consumer) {
    return RocketMqGrpcReceiver.builder(receiver, consumer)
        .shortestInvisible(SECOND)
        .invisibleDuration(Duration.ofSeconds(30))
        .retryMaxTimes(1_000);
  }

  /** Sends each text as key and body. */
  void send(String... texts) throws Exception {
    for (String text : texts) {
      send(CLIENTS
          .newMessageBuilder()
          .setTopic(topic)
          .setKeys(text)
          .setBody(text.getBytes(StandardCharsets.UTF_8))
          .build());
    }
  }

  static void send(Message message) throws Exception {
    producer().send(message);
  }

  static Producer producer() {
    return PRODUCER;
  }

  /** Alone: eight side by side would all wait for what the first of a JVM has to load. */
  private static Producer firstClient() {
    createTopic("first");
    try {
      return CLIENTS
          .newProducerBuilder()
          .setClientConfiguration(configuration())
          .setTopics("first")
          .build();
    } catch (ClientException e) {
      throw new IllegalStateException("the proxy has no session with its first client", e);
    }
  }

  /** The next message of that consumer. */
  static MessageView next(SimpleConsumer consumer, Duration invisible) {
    AtomicReference<@Nullable MessageView> found = new AtomicReference<>();
    await()
        .atMost(BOUND)
        .ignoreExceptions()
        .until(
            () -> { // it may not know the client yet
              consumer.receive(1, invisible).forEach(found::set);
              return found.get() != null;
            });
    return Objects.requireNonNull(found.get());
  }

  static String body(MessageView message) {
    return new String(ClientMessages.body(message), StandardCharsets.UTF_8);
  }

  private MessageKey key(String key) {
    return MessageKey.of(group, topic + '/' + key);
  }

  Optional<Mark> mark(String key) {
    return store.find(List.of(key(key))).get(0);
  }

  boolean isDone(String key) {
    return mark(key).filter(mark -> mark.state() == MarkState.DONE).isPresent();
  }

  /** Somebody else handles that message, for so long from now. */
  void claimedByAnother(String key, Duration lease) {
    store.claim(
        List.of(new ClaimRequest(
            key(key),
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
}
