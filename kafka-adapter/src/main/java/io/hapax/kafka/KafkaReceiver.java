package io.hapax.kafka;

import io.hapax.IdempotentReceiver;
import io.hapax.adapter.InFlightWindows;
import io.hapax.adapter.PollThread;
import io.hapax.adapter.PollingLoop;
import io.hapax.adapter.ReceiverPort;
import io.hapax.health.PartitionStatus;
import io.hapax.health.Problem;
import io.hapax.health.Problems;
import io.hapax.kafka.internal.RecordHandouts;
import io.hapax.setting.Durations;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

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
 * <p>At start the receiver asks the brokers, for a few seconds at most, how long they keep records
 * and offsets, and compares that with the marks ({@link RetentionCheck}).
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

  /** Says whether the receiver reads. */
  public enum State {
    /** The receiver reads. */
    RUNNING,
    /** The receiver was closed. */
    CLOSED,
    /**
     * The receiver died of an error and has left its group; see {@link KafkaReceiver#failure()}.
     */
    DOWN;

    static State of(PollThread thread) {
      if (!thread.hasEnded()) {
        return RUNNING;
      }
      return thread.failure().isPresent() ? DOWN : CLOSED;
    }
  }

  private final IdempotentReceiver<ConsumerRecord<K, V>> receiver;
  private final PollThread thread;
  private final Duration patience;

  private KafkaReceiver(
      IdempotentReceiver<ConsumerRecord<K, V>> receiver, PollThread thread, Duration patience) {
    this.receiver = receiver;
    this.thread = thread;
    this.patience = patience;
  }

  /**
   * {@return a running receiver}
   *
   * @param receiver the idempotent receiver; stays open when the Kafka receiver is closed
   * @param consumerProperties properties of the consumer, with {@code bootstrap.servers},
   *     {@code group.id} and the deserializers. {@code enable.auto.commit} is set to false and may
   *     not be true. Unless given, {@code auto.offset.reset} is {@code earliest},
   *     {@code isolation.level} is {@code read_committed} and {@code allow.auto.create.topics} is
   *     false. With {@code group.instance.id}, {@code session.timeout.ms} must not exceed the
   *     lease. Under {@code group.protocol=consumer} the brokers set that timeout, and it is not
   *     checked
   * @param topics the topics, which must exist
   * @param <K> the record's key
   * @param <V> the record's value
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
   * {@return a builder, for more settings than {@link #start} takes}
   *
   * @param receiver the idempotent receiver; stays open when the Kafka receiver is closed
   * @param consumerProperties properties of the consumer, as for {@link #start}
   * @param <K> the record's key
   * @param <V> the record's value
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
   * <p>A partition that waits for the next attempt of its first message is reported at once, with
   * the kind {@link Problem.Kind#PARTITION_WAITING}. A readiness probe ignores that kind.
   *
   * @return the problems by kind; empty while there is none
   */
  public List<Problem> problems() {
    return Problems.join(thread.problems(), receiver.problems());
  }

  /**
   * {@return how far the receiver is in the partitions that it has at the moment, as of a moment
   * that is usually less than half a second ago; empty if there are none, or the receiver does not
   * read} Costs no call to the brokers. {@code MicrometerPartitions} shows the sums as gauges.
   */
  public List<PartitionStatus> partitions() {
    return thread.partitions();
  }

  /** {@return whether the receiver reads} */
  public State state() {
    return State.of(thread);
  }

  /**
   * {@return the error of which the receiver died, once it is {@link State#DOWN} or about to be}
   */
  public Optional<Throwable> failure() {
    return thread.failure();
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
    thread.stop();
    thread.awaitEnd(patience);
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
    private ProcessingOrder order = ProcessingOrder.PARTITION;
    private Optional<Subscription> subscription = Optional.empty();
    private Optional<Function<Map<String, Object>, Consumer<K, V>>> consumers = Optional.empty();
    private RetentionCheck retentionCheck = RetentionCheck.WARN;
    private Optional<Duration> drainTimeout = Optional.empty();

    private Builder(IdempotentReceiver<ConsumerRecord<K, V>> receiver, ConsumerSettings settings) {
      this.receiver = receiver;
      this.settings = settings;
    }

    /**
     * Sets the topics to read. Exactly one of this, {@link #topicPattern} and {@link #partitions}
     * is required.
     *
     * @param names the topics, at least one
     * @return this
     * @throws IllegalArgumentException if there is no topic, or one of the other two is set
     */
    public Builder<K, V> topics(Collection<String> names) {
      return read(new Subscription.Topics(List.copyOf(names)));
    }

    /**
     * Sets a pattern of topics to read, instead of {@link #topics}. The consumer also reads a
     * matching topic that is created later, after {@code metadata.max.age.ms} at the latest. The
     * pattern must not match dead-letter topics of this consumer.
     *
     * @param pattern matches the whole name of a topic
     * @return this
     * @throws IllegalArgumentException if one of the other two is set
     */
    public Builder<K, V> topicPattern(Pattern pattern) {
      return read(new Subscription.Matching(pattern));
    }

    /**
     * Sets partitions to read, instead of {@link #topics}. The group does not assign them, so there
     * are no rebalances, and no other member takes them over. Their offsets are committed under
     * {@code group.id}, whose group must have no other members: the brokers would refuse the
     * commits. They expire {@code offsets.retention.minutes} after the last commit, also while the
     * receiver runs.
     *
     * @param partitions the partitions, at least one; all must exist
     * @return this
     * @throws IllegalArgumentException if there is no partition, or one of the other two is set
     */
    public Builder<K, V> partitions(Collection<TopicPartition> partitions) {
      return read(new Subscription.Partitions(Set.copyOf(partitions)));
    }

    private Builder<K, V> read(Subscription wanted) {
      subscription.filter(it -> !it.setting().equals(wanted.setting())).ifPresent(it -> {
        throw new IllegalArgumentException(wanted.setting() + " is " + wanted + " but "
            + it.setting() + " is set, too: set only one of them");
      });
      this.subscription = Optional.of(wanted);
      return this;
    }

    /**
     * Sets how a consumer is made, for one that is instrumented or comes from Spring's
     * {@code ConsumerFactory}. The function is called at the start, and again on the poll thread if
     * a dead consumer is replaced. It must return a new consumer for each call. That consumer must
     * have the properties that the function is given: they disable auto-commit.
     *
     * <p>Hapax does not wrap the deserializers of such a consumer. If one throws an {@link Error},
     * the receiver is {@link State#DOWN}. Let your deserializers turn errors into exceptions.
     *
     * <p><b>A record whose key or value is neither a text, a number nor a byte array is given to a
     * handler once.</b> For another call the receiver reads it again from the broker.
     *
     * @param factory makes a consumer of these properties
     * @return this
     */
    public Builder<K, V> consumer(Function<Map<String, Object>, Consumer<K, V>> factory) {
      this.consumers = Optional.of(factory);
      return this;
    }

    /**
     * Sets what {@link #start} does if the topics, the offsets and the marks are kept for times
     * that do not fit together.
     *
     * @param check {@link RetentionCheck#WARN} unless set
     * @return this
     */
    public Builder<K, V> retentionCheck(RetentionCheck check) {
      this.retentionCheck = check;
      return this;
    }

    /**
     * Sets which records of a partition run one after the other. The default is
     * {@link ProcessingOrder#PARTITION}. As many records run at once as the
     * {@link IdempotentReceiver} has workers.
     *
     * <p>With the other orders a partition is read on until ten times {@code max.poll.records} are
     * kept in memory behind a record that is not settled. In transactional mode the records of one
     * poll share a transaction, and the next one begins when it has ended. There a slow record
     * holds back its partition, while one that waits for its retry holds back only its own order.
     *
     * @param order the order
     * @return this
     */
    public Builder<K, V> order(ProcessingOrder order) {
      this.order = order;
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
      Durations.notNegative("drainTimeout", timeout);
      settings.requireDrain(timeout);
      this.drainTimeout = Optional.of(timeout);
      return this;
    }

    /**
     * Starts to read, on a non-daemon thread.
     *
     * @return a running receiver
     * @throws IllegalArgumentException if a setting breaks its rule, a topic or partition does not
     *     exist, or the {@link RetentionCheck} refuses the start
     * @throws IllegalStateException if the brokers did not answer under
     *     {@link RetentionCheck#REFUSE}
     * @throws org.apache.kafka.common.KafkaException if the properties do not make a valid consumer
     */
    public KafkaReceiver<K, V> start() {
      Subscription wanted = subscription.orElseThrow(() -> new IllegalArgumentException(
          "topics is not set but one of topics, topicPattern and partitions is required"));
      ReceiverPort.Settings given = receiver.port().settings();
      settings.requireSessionWithin(given.lease());
      new StartChecks(settings.properties(), wanted).run(given.retention(), retentionCheck);
      PollLoop.Bounds bounds = settings.bounds(drainTimeout, given.transactional(), order);
      PollThread thread = new PollThread(
          "hapax-kafka-" + settings.properties().get(ConsumerConfig.GROUP_ID_CONFIG),
          () -> loop(wanted, bounds),
          receiver.port().clock());
      thread.start();
      Duration patience = bounds.drainTimeout().plus(PollingLoop.LEAVING);
      return new KafkaReceiver<>(receiver, thread, patience);
    }

    private PollLoop<K, V> loop(Subscription wanted, PollLoop.Bounds bounds) {
      Map<String, Object> properties = settings.properties();
      Consumer<K, V> consumer = consumers
          .map(it -> it.apply(properties))
          .orElseGet(() -> RecordHandouts.consumer(properties));
      RecordHandouts<K, V> handouts = RecordHandouts.keeping(properties);
      InFlightWindows<ConsumerRecord<K, V>> windows = new InFlightWindows<>(
          receiver.port().openLanes(), ConsumerRecord::timestamp, System::nanoTime);
      return new PollLoop<>(consumer, wanted, handouts, windows, bounds, receiver);
    }
  }
}
