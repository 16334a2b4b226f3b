package io.hapax.kafka;

import io.hapax.IdempotentReceiver;
import io.hapax.adapter.InFlightWindows;
import io.hapax.health.Problem;
import io.hapax.health.Problems;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads topics as a member of a consumer group, lets each message take effect once through an
 * {@link IdempotentReceiver}, and commits only settled messages.
 *
 * <p>The receiver owns the consumer and one thread that polls it. Handlers run on the workers of
 * the {@link IdempotentReceiver}. The order within a partition is kept: a message that is retried
 * holds back the later messages of its partition, and no others.
 *
 * <p>The receiver never commits beyond the lowest offset whose message is not settled. After a
 * crash Kafka therefore redelivers messages above that offset that were completed. The store knows
 * them, and they do not run again. When a partition is revoked, the receiver waits for running
 * handlers within the drain timeout. It releases all other messages at once for the next owner. It
 * commits nothing for a partition that was lost. A handler that outlives the drain timeout still
 * finishes and sets its mark to DONE. The next owner finds that mark.
 *
 * <p>A record that cannot be deserialized stops its own partition. It is not skipped, and
 * {@link #problems()} names it. If a consumer loses its rights, the receiver replaces it every 5 s
 * until it has them again. Any other Kafka error that does not pass by itself ends the receiver. It
 * is then {@link State#DOWN} and has left its group. All methods are thread-safe.
 *
 * <p>At start the receiver asks the brokers, for a few seconds at most, how long the topics keep
 * their records. It logs a warning for each topic that keeps records longer than the store keeps
 * marks, because a replay of older records may run them again. ({@code retention.ms} is compared.
 * Kafka deletes whole segments, so their oldest records live longer by up to {@code segment.ms}.)
 * Brokers that do not answer, or do not answer this user, do not prevent the start.
 *
 * <pre>{@code
 * try (KafkaReceiver<String, String> orders =
 *     KafkaReceiver.start(receiver, consumerProperties, List.of("orders"))) {
 *   ... orders.problems() names what keeps messages from moving ...
 * }
 * }</pre>
 *
 * @param <K> the record's key
 * @param <V> the record's value
 */
public final class KafkaReceiver<K, V> implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaReceiver.class);

  /** Says whether the receiver reads. */
  public enum State {
    /** The receiver reads. */
    RUNNING,
    /** The receiver was closed. */
    CLOSED,
    /**
     * The receiver died of an error and has left its group; see {@link KafkaReceiver#failure()}.
     */
    DOWN
  }

  private static final Duration REPLACE_AFTER = Duration.ofSeconds(5);

  private final IdempotentReceiver<ConsumerRecord<K, V>> receiver;
  private final PollLoopSupervisor<K, V> supervisor;
  private final Thread thread;
  private final Duration patience;

  private KafkaReceiver(
      IdempotentReceiver<ConsumerRecord<K, V>> receiver,
      PollLoopSupervisor<K, V> supervisor,
      Thread thread,
      Duration patience) {
    this.receiver = receiver;
    this.supervisor = supervisor;
    this.thread = thread;
    this.patience = patience;
  }

  /**
   * Starts a receiver.
   *
   * @param receiver the idempotent receiver; stays open when the Kafka receiver is closed
   * @param consumerProperties properties of the consumer, with {@code bootstrap.servers},
   *     {@code group.id} and the deserializers. {@code enable.auto.commit} is set to false and may
   *     not be true. Unless given, {@code auto.offset.reset} is {@code earliest},
   *     {@code isolation.level} is {@code read_committed} and {@code allow.auto.create.topics} is
   *     false. With {@code group.instance.id}, {@code session.timeout.ms} must not exceed the lease
   * @param topics the topics, which must exist
   * @param <K> the record's key
   * @param <V> the record's value
   * @return a running receiver
   * @throws IllegalArgumentException if a property breaks its rule, or a topic does not exist
   * @throws org.apache.kafka.common.KafkaException if the properties do not make a valid consumer
   */
  public static <K, V> KafkaReceiver<K, V> start(
      IdempotentReceiver<ConsumerRecord<K, V>> receiver,
      Map<?, ?> consumerProperties,
      Collection<String> topics) {
    return builder(receiver, consumerProperties).topics(topics).start();
  }

  /**
   * Starts a builder, for more settings than {@link #start} takes.
   *
   * @param receiver the idempotent receiver; stays open when the Kafka receiver is closed
   * @param consumerProperties properties of the consumer, as for {@link #start}
   * @param <K> the record's key
   * @param <V> the record's value
   * @return a builder
   * @throws IllegalArgumentException if a property breaks its rule
   */
  public static <K, V> Builder<K, V> builder(
      IdempotentReceiver<ConsumerRecord<K, V>> receiver, Map<?, ?> consumerProperties) {
    return new Builder<>(receiver, ConsumerSettings.of(consumerProperties));
  }

  /**
   * Returns the problems that keep messages from moving:
   *
   * <ul>
   *   <li>partitions that wait, with their offset and reason;
   *   <li>partitions whose handlers made no progress for {@code max.poll.interval.ms};
   *   <li>commits or polls that keep failing;
   *   <li>a consumer that has to be replaced;
   *   <li>the problems of the {@link IdempotentReceiver};
   *   <li>the reason why the receiver is down.
   * </ul>
   *
   * @return the problems by kind; empty while there is none
   */
  public List<Problem> problems() {
    return Problems.join(supervisor.problems(), receiver.problems());
  }

  /**
   * Returns whether the receiver reads.
   *
   * @return the state
   */
  public State state() {
    return supervisor.state();
  }

  /**
   * Returns the error of which the receiver died.
   *
   * @return the error, once the receiver is {@link State#DOWN} or about to be
   */
  public Optional<Throwable> failure() {
    return supervisor.failure();
  }

  /**
   * Stops reading and gives up messages that have not started. Waits for running handlers within
   * the drain timeout, commits settled messages and leaves the group. The
   * {@link IdempotentReceiver} stays open.
   *
   * <p>The call returns within the drain timeout plus ten seconds, whatever handlers, store and
   * brokers do. A handler that outlives the drain timeout continues. Its offset is not committed,
   * and its mark is DONE when it ends. A handler that calls this method waits for the whole drain
   * timeout, because it is itself a running handler. May be called more than once, by any thread.
   */
  @Override
  public void close() {
    supervisor.stop();
    if (Thread.currentThread() == thread) {
      return; // from a deserializer or an interceptor: the thread cannot wait for itself
    }
    try {
      thread.join(patience.toMillis());
      if (thread.isAlive()) {
        LOG.warn("{} has not ended within {}", thread.getName(), patience);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Configures and starts a {@link KafkaReceiver}.
   *
   * @param <K> the record's key
   * @param <V> the record's value
   */
  public static final class Builder<K, V> {

    private final IdempotentReceiver<ConsumerRecord<K, V>> receiver;
    private final ConsumerSettings settings;
    private List<String> topics = List.of();
    private Optional<Duration> drainTimeout = Optional.empty();

    private Builder(IdempotentReceiver<ConsumerRecord<K, V>> receiver, ConsumerSettings settings) {
      this.receiver = receiver;
      this.settings = settings;
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
     * Sets how long the receiver waits for running handlers when their partition is revoked, and in
     * {@link KafkaReceiver#close()}. The limit is half of {@code max.poll.interval.ms}, because the
     * poll thread does not poll during a drain. The default is 20 s or that limit, whichever is
     * shorter.
     *
     * @param timeout not negative
     * @return this
     * @throws IllegalArgumentException if the timeout breaks its rule
     */
    public Builder<K, V> drainTimeout(Duration timeout) {
      if (timeout.isNegative()) {
        throw new IllegalArgumentException(
            "drainTimeout is " + timeout + " but must not be negative");
      }
      settings.requireDrain(timeout);
      this.drainTimeout = Optional.of(timeout);
      return this;
    }

    /**
     * Starts to read, on a non-daemon thread.
     *
     * @return a running receiver
     * @throws IllegalArgumentException if a setting breaks its rule, or a topic does not exist
     * @throws org.apache.kafka.common.KafkaException if the properties do not make a valid consumer
     */
    public KafkaReceiver<K, V> start() {
      if (topics.isEmpty()) {
        throw new IllegalArgumentException("topics is empty but must name at least one topic");
      }
      settings.requireSessionWithin(receiver.lease().lease());
      new ReplayHorizon(receiver.retention()).check(settings.properties(), topics);
      PollLoop.Bounds bounds = settings.bounds(drainTimeout, receiver.transactional());
      PollLoopSupervisor<K, V> supervisor = new PollLoopSupervisor<>(
          () -> loop(bounds), REPLACE_AFTER, new Problems(receiver.clock()));
      Thread thread = new Thread(
          supervisor, "hapax-kafka-" + settings.properties().get(ConsumerConfig.GROUP_ID_CONFIG));
      thread.start();
      Duration patience = bounds.drainTimeout().plus(PollLoop.LEAVING);
      return new KafkaReceiver<>(receiver, supervisor, thread, patience);
    }

    private PollLoop<K, V> loop(PollLoop.Bounds bounds) {
      Map<String, Object> properties = settings.properties();
      KafkaConsumer<K, V> consumer = new KafkaConsumer<>(
          properties,
          GuardedDeserializer.of(properties, ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, true),
          GuardedDeserializer.of(
              properties, ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, false));
      InFlightWindows<ConsumerRecord<K, V>> windows =
          new InFlightWindows<>(receiver.openLanes(), ConsumerRecord::timestamp, System::nanoTime);
      return new PollLoop<>(consumer, topics, windows, bounds, new Problems(receiver.clock()));
    }
  }
}
