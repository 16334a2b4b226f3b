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
 * {@link IdempotentReceiver}, and commits only what is settled.
 *
 * <p>It owns the consumer and one thread that polls it; handlers run on the receiver's workers. The
 * order within a partition is kept: a message that has to be tried again holds back those behind it
 * in its partition, and no others.
 *
 * <p>Committed is never more than the lowest offset whose message is not settled. After a crash
 * Kafka therefore delivers again what was done behind it; the store knows these messages and they
 * are not run again. When a partition is revoked, running handlers are waited for within the drain
 * time-out and the rest is released at once for the next owner. A partition that was lost commits
 * nothing. A handler that outlives this finishes all the same, and its mark is DONE; the next owner
 * finds it so.
 *
 * <p>A record that cannot be deserialized stops its own partition, is not skipped, and is named by
 * {@link #problems()}. A consumer that loses its rights is replaced every 5 s until it has them
 * again. Anything else that Kafka does not let pass by itself ends the receiver: it is
 * {@link State#DOWN} and has left its group. All methods are thread-safe.
 *
 * <p>At start the brokers are asked, for some seconds at most, how long the topics keep their
 * records. One that keeps them longer than the store keeps marks is logged as a warning, because
 * what is replayed from further back than that may run again. ({@code retention.ms} is compared; a
 * segment is deleted as a whole, so its oldest records live longer by up to {@code segment.ms}.)
 * Brokers that do not answer, or not to this user, do not stop the start.
 *
 * <pre>{@code
 * try (KafkaReceiver<String, String> orders =
 *     KafkaReceiver.start(receiver, consumerProperties, List.of("orders"))) {
 *   ... orders.problems() tells a health check why nothing moves ...
 * }
 * }</pre>
 *
 * @param <K> the record's key
 * @param <V> the record's value
 */
public final class KafkaReceiver<K, V> implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaReceiver.class);

  /** Whether the receiver reads. */
  public enum State {
    /** It reads. */
    RUNNING,
    /** It was closed. */
    CLOSED,
    /** It died of an error and has left its group; see {@link KafkaReceiver#failure()}. */
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
   * Starts to read.
   *
   * @param receiver the receiver; stays open when this is closed
   * @param consumerProperties properties of the consumer, with {@code bootstrap.servers},
   *     {@code group.id} and the deserializers. {@code enable.auto.commit} is set to false and may
   *     not be true; unless given, {@code auto.offset.reset} is {@code earliest},
   *     {@code isolation.level} is {@code read_committed} and {@code allow.auto.create.topics} is
   *     false. With {@code group.instance.id}, {@code session.timeout.ms} must not exceed the lease
   * @param topics the topics, which must exist
   * @param <K> the record's key
   * @param <V> the record's value
   * @return a running receiver
   * @throws IllegalArgumentException if a property breaks its rule, or a topic does not exist
   * @throws org.apache.kafka.common.KafkaException if no consumer can be made of the properties
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
   * @param receiver the receiver; stays open when this is closed
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
   * Returns what keeps messages from moving: partitions that wait, with their offset and reason;
   * those of whose handlers nothing was heard for {@code max.poll.interval.ms}; commits or polls
   * that keep failing; a consumer that has to be replaced; what the {@link IdempotentReceiver}
   * says; and why the receiver is down.
   *
   * @return empty while all is well; by kind
   */
  public List<Problem> problems() {
    return Problems.join(supervisor.problems(), receiver.problems());
  }

  /**
   * Whether the receiver reads.
   *
   * @return the state
   */
  public State state() {
    return supervisor.state();
  }

  /**
   * What the receiver died of.
   *
   * @return the error, once it is {@link State#DOWN} or about to be
   */
  public Optional<Throwable> failure() {
    return supervisor.failure();
  }

  /**
   * Stops reading, gives up what has not started, waits for running handlers within the drain
   * time-out, commits what is settled and leaves the group. The {@link IdempotentReceiver} stays
   * open. All of that ends within the drain time-out and ten seconds, whatever handlers, store and
   * brokers do. A handler that outlives the drain time-out goes on; its offset is not committed,
   * and its mark is DONE when it ends. Called by a handler it waits for the whole drain time-out,
   * because that handler is running. May be called more than once, by any thread.
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
   * Starts a {@link KafkaReceiver}.
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
     * What to read. Required.
     *
     * @param names the topics
     * @return this
     */
    public Builder<K, V> topics(Collection<String> names) {
      this.topics = List.copyOf(names);
      return this;
    }

    /**
     * How long running handlers are waited for when their partition is revoked, and by
     * {@link KafkaReceiver#close()}. At most half of {@code max.poll.interval.ms}, because nobody
     * polls meanwhile; by default 20 s or that half, whichever is shorter.
     *
     * @param timeout not negative
     * @return this
     * @throws IllegalArgumentException if the time-out breaks its rule
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
     * Starts to read, on a thread that is no daemon.
     *
     * @return a running receiver
     * @throws IllegalArgumentException if a setting breaks its rule, or a topic does not exist
     * @throws org.apache.kafka.common.KafkaException if no consumer can be made of the properties
     */
    public KafkaReceiver<K, V> start() {
      if (topics.isEmpty()) {
        throw new IllegalArgumentException("topics is empty but must name at least one topic");
      }
      settings.requireSessionWithin(receiver.lease().lease());
      new ReplayHorizon(receiver.retention()).check(settings.properties(), topics);
      PollLoop.Bounds bounds = settings.bounds(drainTimeout);
      PollLoopSupervisor<K, V> supervisor = new PollLoopSupervisor<>(
          () -> loop(bounds), REPLACE_AFTER, new Problems(receiver.clock()));
      Thread thread = new Thread(
          supervisor, "hapax-kafka-" + settings.properties().get(ConsumerConfig.GROUP_ID_CONFIG));
      thread.start();
      Duration patience = bounds.drainTimeout().plus(PollLoop.LEAVING);
      return new KafkaReceiver<>(receiver, supervisor, thread, patience);
    }

    private static <K, V> InFlightWindows<ConsumerRecord<K, V>> windows(
        IdempotentReceiver<ConsumerRecord<K, V>> receiver) {
      return new InFlightWindows<>(receiver::submit, ConsumerRecord::timestamp, System::nanoTime);
    }

    private PollLoop<K, V> loop(PollLoop.Bounds bounds) {
      Map<String, Object> properties = settings.properties();
      KafkaConsumer<K, V> consumer = new KafkaConsumer<>(
          properties,
          GuardedDeserializer.of(properties, ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, true),
          GuardedDeserializer.of(
              properties, ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, false));
      return new PollLoop<>(
          consumer, topics, windows(receiver), bounds, new Problems(receiver.clock()));
    }
  }
}
