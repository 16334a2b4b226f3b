package io.hapax.kafka;

import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import io.hapax.TransactionalHandler;
import io.hapax.adapter.PollThread;
import io.hapax.adapter.PollingLoop;
import io.hapax.adapter.ReceiverPort;
import io.hapax.health.Problem;
import io.hapax.health.Problems;
import io.hapax.kafka.internal.RecordHandouts;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * Reads topics and lets handlers produce records, each once for each message id: Kafka to Kafka.
 * The records that a handler sends and the offset of its message are in one Kafka transaction. The
 * mark becomes DONE after the commit. A duplicate id produces nothing.
 *
 * <p>If the process dies between the commit and the DONE mark, the committed offset of the group
 * shows that the transaction was committed. The mark then becomes DONE without running the message,
 * when a copy of it arrives or when the receiver looks for such marks: after each assignment, as
 * soon as the lease has expired, and every ten minutes. If the process dies before the commit, the
 * transaction is aborted and the message is redelivered.
 *
 * <p>That covers records that the handler sends through {@link KafkaOutputs}, and no other effect.
 * A handler may be called more than once for one commit, also for messages that did not fail.
 *
 * <p>The receiver owns the consumer, the producer and one thread. Handlers run on that thread, in
 * the order of each partition. Consecutive records of a partition in a poll share a transaction.
 * More instances read in parallel. All members of the group must be receivers of this kind. An
 * operator who moves the group's offsets forward skips messages: lost claims that the offset passes
 * count as committed. All methods are thread-safe.
 *
 * <pre>{@code
 * try (KafkaTransactionalReceiver invoices = KafkaTransactionalReceiver.builder(
 *         IdempotentReceiver.<ConsumerRecord<String, String>>builder("invoices")
 *             .id(KafkaIds.header("order-id"))
 *             .fingerprint(KafkaFingerprints.value()),
 *         store,
 *         consumerProperties)
 *     .topics(List.of("orders"))
 *     .start(producerProperties, (outputs, delivery) ->
 *         outputs.send(new ProducerRecord<>("invoices", invoice(delivery.message()))))) {
 *   ... invoices.problems() names what keeps messages from moving ...
 * }
 * }</pre>
 */
public final class KafkaTransactionalReceiver implements AutoCloseable {

  private static final int TRANSACTION_TIMEOUT_MILLIS = 60_000;
  private static final int SESSION_TIMEOUT_MILLIS = 45_000;

  private final IdempotentReceiver<?> receiver;
  private final OutputProducer<?, ?> producer;
  private final CommittedOffsets offsets;
  private final PollThread thread;

  private KafkaTransactionalReceiver(
      IdempotentReceiver<?> receiver,
      OutputProducer<?, ?> producer,
      CommittedOffsets offsets,
      PollThread thread) {
    this.receiver = receiver;
    this.producer = producer;
    this.offsets = offsets;
    this.thread = thread;
  }

  /**
   * {@return a builder}
   *
   * @param settings the settings of the consumer: id, fingerprint, retries, dead letters,
   *     listeners. {@code onUnknownOutcome} must be {@code rerun()}, and shadow mode is refused.
   *     Workers are not used
   * @param store the store of the marks; stays open when the receiver is closed
   * @param consumerProperties properties of the consumer, as for {@link KafkaReceiver#start}
   * @param <K> the record's key
   * @param <V> the record's value
   * @throws IllegalArgumentException if a property breaks its rule
   */
  public static <K, V> Builder<K, V> builder(
      ReceiverBuilder<ConsumerRecord<K, V>> settings,
      DedupStore store,
      Map<?, ?> consumerProperties) {
    return new Builder<>(settings, store, ConsumerSettings.of(consumerProperties));
  }

  /**
   * {@return the problems that keep messages from moving, as {@link KafkaReceiver#problems} lists
   * them, by kind; empty while there is none} They include transactions that cannot be committed.
   */
  public List<Problem> problems() {
    return Problems.join(thread.problems(), receiver.problems());
  }

  /** {@return whether the receiver reads} */
  public KafkaReceiver.State state() {
    return KafkaReceiver.State.of(thread);
  }

  /** {@return the error of which the receiver died, once it is down or about to be} */
  public Optional<Throwable> failure() {
    return thread.failure();
  }

  /**
   * Stops reading. A running handler may end within the drain timeout; its transaction is then
   * committed. Otherwise the handler is interrupted and its transaction is aborted. Leaves the
   * group. Returns within the drain timeout plus ten seconds. May be called more than once, by any
   * thread.
   */
  @Override
  public void close() {
    thread.stop();
    producer.stop();
    receiver.close();
    if (thread.isCurrent()) {
      return; // called by a handler or a deserializer: the thread cannot wait for itself
    }
    thread.awaitEnd(PollingLoop.LEAVING);
    offsets.close();
  }

  /**
   * Configures and starts a {@link KafkaTransactionalReceiver}.
   *
   * @param <K> the record's key
   * @param <V> the record's value
   */
  public static final class Builder<K, V> {

    private final ReceiverBuilder<ConsumerRecord<K, V>> receivers;
    private final DedupStore store;
    private final ConsumerSettings consumers;
    private List<String> topics = List.of();

    private Builder(
        ReceiverBuilder<ConsumerRecord<K, V>> receivers,
        DedupStore store,
        ConsumerSettings consumers) {
      this.receivers = receivers;
      this.store = store;
      this.consumers = consumers;
    }

    /**
     * Sets the topics to read. Required.
     *
     * @param names the topics
     * @return this
     */
    public Builder<K, V> topics(Collection<String> names) {
      this.topics = List.copyOf(names);
      return this;
    }

    /**
     * Starts to read, on a non-daemon thread.
     *
     * @param producerProperties properties of the producer, with {@code bootstrap.servers} and
     *     serializers. {@code transactional.id} is required: another one for each instance, and the
     *     same after a restart, so that the new process ends the transaction of the old one at
     *     once. {@code transaction.timeout.ms} must be longer than the slowest handler
     * @param handler the handler of one message
     * @param <A> the key of records that the handler sends
     * @param <B> the value of records that the handler sends
     * @return a running receiver
     * @throws IllegalArgumentException if a setting breaks its rule, or a topic does not exist
     * @throws org.apache.kafka.common.KafkaException if the properties do not make a valid client
     */
    public <A, B> KafkaTransactionalReceiver start(
        Map<?, ?> producerProperties,
        TransactionalHandler.Single<ConsumerRecord<K, V>, KafkaOutputs<A, B>> handler) {
      return start(producerProperties, handler, KafkaProducer::new);
    }

    /** Starts with a producer that tests can hook. */
    <A, B> KafkaTransactionalReceiver start(
        Map<?, ?> producerProperties,
        TransactionalHandler.Single<ConsumerRecord<K, V>, KafkaOutputs<A, B>> handler,
        Function<Map<String, Object>, Producer<A, B>> producers) {
      Map<String, Object> producing = producing(producerProperties);
      String group = String.valueOf(consumers.properties().get(ConsumerConfig.GROUP_ID_CONFIG));
      CommittedOffsets offsets = CommittedOffsets.open(consumers.properties(), group);
      LostClaims lost = new LostClaims(store, offsets, quiet(producing));
      OffsetProbedStore probed = new OffsetProbedStore(store, lost);
      OutputProducer<A, B> producer =
          new OutputProducer<>(() -> initialised(producers.apply(producing)), offsets);
      OutputTransactions<K, V, A, B> transactions = new OutputTransactions<>(
          producer,
          TransactionalHandler.forEach(handler),
          probed,
          Duration.ofMillis(transactionTimeout(producing) / 4),
          halfOfInterval());
      try {
        IdempotentReceiver<ConsumerRecord<K, V>> receiver =
            receivers.brokerTransactional(probed, transactions);
        return started(
            new TransactionalPollLoop.Shared<>(receiver, producer, transactions, lost, offsets),
            group);
      } catch (RuntimeException e) {
        offsets.close();
        throw e;
      }
    }

    private KafkaTransactionalReceiver started(
        TransactionalPollLoop.Shared<K, V> shared, String group) {
      IdempotentReceiver<ConsumerRecord<K, V>> receiver = shared.receiver();
      ReceiverPort.Settings given = receiver.port().settings();
      try {
        consumers.requireSessionWithin(given.lease());
        new StartChecks(consumers.properties(), new Subscription.Topics(topics))
            .run(given.retention(), RetentionCheck.WARN);
        Supplier<PollingLoop> loops = () -> new TransactionalPollLoop<>(
            RecordHandouts.consumer(consumers.properties()),
            RecordHandouts.keeping(consumers.properties()),
            shared,
            topics,
            halfOfInterval());
        PollThread thread =
            new PollThread("hapax-kafka-" + group, loops, receiver.port().clock());
        thread.start();
        return new KafkaTransactionalReceiver(
            receiver, shared.producer(), shared.offsets(), thread);
      } catch (RuntimeException e) {
        receiver.close(Duration.ZERO);
        throw e;
      }
    }

    private Duration halfOfInterval() {
      return consumers.maxPollInterval().dividedBy(2);
    }

    private static Map<String, Object> producing(Map<?, ?> given) {
      Map<String, Object> properties = ConsumerSettings.named(given);
      Object id = properties.getOrDefault(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "");
      if (String.valueOf(id).isBlank()) {
        throw new IllegalArgumentException(
            ProducerConfig.TRANSACTIONAL_ID_CONFIG
                + " is not set but is required: another one for each instance, the same after a restart");
      }
      properties.putIfAbsent(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_TIMEOUT_MILLIS);
      return Map.copyOf(properties);
    }

    private static <A, B> Producer<A, B> initialised(Producer<A, B> producer) {
      try {
        producer.initTransactions();
        return producer;
      } catch (RuntimeException e) {
        producer.close(Duration.ZERO);
        throw e;
      }
    }

    /** An owner is out of its group and its transaction is aborted after this time. */
    private Duration quiet(Map<String, Object> producing) {
      int session = ConsumerSettings.number(
          consumers.properties(), ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_TIMEOUT_MILLIS);
      return Duration.ofMillis(Math.max(session, transactionTimeout(producing)));
    }

    private static int transactionTimeout(Map<String, Object> producing) {
      return ConsumerSettings.number(
          producing, ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_TIMEOUT_MILLIS);
    }
  }
}
