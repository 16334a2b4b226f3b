package io.hapax.kafka;

import io.hapax.IdempotentReceiver;
import io.hapax.adapter.PollThread;
import io.hapax.adapter.PollingLoop;
import io.hapax.adapter.ReceiverPort;
import io.hapax.health.Problem;
import io.hapax.health.Problems;
import io.hapax.kafka.internal.RecordHandouts;
import io.hapax.setting.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads topics as a member of a share group, lets each message take effect once through an
 * {@link IdempotentReceiver}, and accepts only settled messages. Needs kafka-clients and brokers
 * 4.2 or newer.
 *
 * <p>The receiver owns its share consumers, each with a thread that polls it. Handlers run on the
 * workers of the {@link IdempotentReceiver}. A share group has no order: a message that waits holds
 * back no other message of its partition. But the broker hands out at most
 * {@code share.partition.max.record.locks} (2,000) records of a partition beyond the first one that
 * is not accepted.
 *
 * <p>The broker counts the deliveries of a record, and drops it after
 * {@code share.delivery.count.limit} of them (5). Only a record that this receiver gives back, or
 * loses, uses a delivery: by a crash, by {@link #close()}, by the loss of a connection, or by an
 * election of a leader. While a message runs, waits for its next attempt, or is handled by another
 * consumer, the receiver renews the lock of its record, which costs none. Hapax counts attempts by
 * itself. A message that fails in its last delivery is dead-lettered at once. So is one whose
 * earlier attempt failed, or that killed its process while it ran alone; it does not run again.
 *
 * <p>The broker drops a record of a last delivery that this receiver gives back or loses before the
 * message is done or dead-lettered: one that is busy or whose store is unavailable at
 * {@link #close()}, one whose dead-letter record was refused, or one that waits when a leader is
 * elected. An error is logged, and its mark, if it has one, stays open. So the delivery limit has
 * to be high.
 *
 * <p>While a consumer renews a lock, Kafka's client gets no new records. The receiver therefore has
 * several consumers ({@link Builder#consumers}), and each takes small batches
 * ({@code max.poll.records}, 100 unless given).
 *
 * <p>A record that cannot be deserialized keeps its lock, and {@link #problems()} names it. If the
 * checksum of a batch is wrong, Kafka's client itself rejects its records, and the group does not
 * get them again.
 *
 * <p>If a consumer loses its rights, the receiver replaces it every 5 s until it has them again.
 * Any other Kafka error that does not pass by itself ends that consumer. The receiver is then
 * {@link KafkaReceiver.State#DOWN}; its other consumers continue until it is closed. All methods
 * are thread-safe.
 *
 * @param <K> the record's key
 * @param <V> the record's value
 */
public final class KafkaShareReceiver<K, V> implements AutoCloseable {

  private final IdempotentReceiver<ConsumerRecord<K, V>> receiver;
  private final List<PollThread> threads;
  private final Duration patience;

  private KafkaShareReceiver(
      IdempotentReceiver<ConsumerRecord<K, V>> receiver,
      List<PollThread> threads,
      Duration patience) {
    this.receiver = receiver;
    this.threads = threads;
    this.patience = patience;
  }

  /**
   * {@return a running receiver}
   *
   * @param receiver the idempotent receiver, in leased mode; stays open when the share receiver is
   *     closed
   * @param consumerProperties properties of the consumers, with {@code bootstrap.servers},
   *     {@code group.id} and the deserializers. {@code share.acknowledgement.mode} is set to
   *     {@code explicit} and {@code share.acquire.mode} to {@code record_limit}
   * @param topics the topics, which must exist
   * @param <K> the record's key
   * @param <V> the record's value
   * @throws IllegalArgumentException if a setting breaks its rule, or a topic does not exist
   * @throws IllegalStateException if kafka-clients is older than 4.2
   * @throws org.apache.kafka.common.KafkaException if the properties do not make a valid consumer
   */
  public static <K, V> KafkaShareReceiver<K, V> start(
      IdempotentReceiver<ConsumerRecord<K, V>> receiver,
      Map<?, ?> consumerProperties,
      Collection<String> topics) {
    return builder(receiver, consumerProperties).topics(topics).start();
  }

  /**
   * {@return a builder, for more settings than {@link #start} takes}
   *
   * @param receiver the idempotent receiver, in leased mode; stays open when the share receiver is
   *     closed
   * @param consumerProperties properties of the consumers, as for {@link #start}
   * @param <K> the record's key
   * @param <V> the record's value
   * @throws IllegalArgumentException if a property breaks its rule
   * @throws IllegalStateException if kafka-clients is older than 4.2
   */
  public static <K, V> Builder<K, V> builder(
      IdempotentReceiver<ConsumerRecord<K, V>> receiver, Map<?, ?> consumerProperties) {
    ShareGroup.requireClient(KafkaShareReceiver.class.getClassLoader());
    return new Builder<>(receiver, ShareGroup.of(consumerProperties));
  }

  /**
   * {@return the problems that keep messages from moving, by kind; empty while there is none} These
   * are messages that wait, with their reason; records that cannot be deserialized; polls or
   * acknowledgements that fail; the problems of the {@link IdempotentReceiver}; and the reason why
   * the receiver is down.
   */
  public List<Problem> problems() {
    List<Problem> ofConsumers =
        threads.stream().flatMap(it -> it.problems().stream()).toList();
    return Problems.join(ofConsumers, receiver.problems());
  }

  /**
   * {@return whether the receiver reads; {@link KafkaReceiver.State#DOWN} as soon as one consumer
   * is down}
   */
  public KafkaReceiver.State state() {
    List<KafkaReceiver.State> states =
        threads.stream().map(KafkaReceiver.State::of).toList();
    return states.contains(KafkaReceiver.State.DOWN) ? KafkaReceiver.State.DOWN : states.get(0);
  }

  /**
   * {@return the error of which the receiver died, once it is {@link KafkaReceiver.State#DOWN} or
   * about to be}
   */
  public Optional<Throwable> failure() {
    return threads.stream().flatMap(it -> it.failure().stream()).findFirst();
  }

  /**
   * Stops reading and gives up messages that have not started. Waits for running handlers within
   * the drain timeout, renews their locks meanwhile, accepts settled messages and leaves the group.
   * The {@link IdempotentReceiver} stays open.
   *
   * <p>The broker redelivers all other records at once, and each has used a delivery. A handler
   * that outlives the drain timeout continues: its message is busy for the next member, and its
   * mark is DONE when it ends. The call returns within the drain timeout plus ten seconds. May be
   * called more than once, by any thread.
   */
  @Override
  public void close() {
    threads.forEach(PollThread::stop);
    if (threads.stream().anyMatch(PollThread::isCurrent)) {
      return; // called by a deserializer: the thread cannot wait for itself
    }
    long end = System.nanoTime() + patience.toNanos();
    threads.forEach(it -> it.awaitEnd(Duration.ofNanos(end - System.nanoTime())));
  }

  /**
   * Configures and starts a {@link KafkaShareReceiver}.
   *
   * @param <K> the record's key
   * @param <V> the record's value
   */
  public static final class Builder<K, V> {

    private static final int CONSUMERS = 4;

    private final IdempotentReceiver<ConsumerRecord<K, V>> receiver;
    private final ShareGroup group;
    private List<String> topics = List.of();
    private Duration drainTimeout = Duration.ofSeconds(20);
    private int consumers = CONSUMERS;
    private OptionalInt deliveryLimit = OptionalInt.empty();

    private Builder(IdempotentReceiver<ConsumerRecord<K, V>> receiver, ShareGroup group) {
      this.receiver = receiver;
      this.group = group;
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
     * Sets how long {@link KafkaShareReceiver#close()} waits for running handlers. The default is
     * 20 s.
     *
     * @param timeout not negative
     * @return this
     */
    public Builder<K, V> drainTimeout(Duration timeout) {
      this.drainTimeout = Durations.limit("drainTimeout", timeout);
      return this;
    }

    /**
     * Sets the number of share consumers; the default is 4. As long as messages of a consumer run
     * or wait, it gets no new records. With two consumers, one gets records while the other's run.
     * Each further one lets the receiver read on although a message waits for its next attempt.
     *
     * @param count at least 1
     * @return this
     */
    public Builder<K, V> consumers(int count) {
      this.consumers = ConsumerSettings.atLeastOne("consumers", count);
      return this;
    }

    /**
     * Sets the group's {@code share.delivery.count.limit}, for a user that may not read it from the
     * brokers. The default is then 5, as in Kafka.
     *
     * @param deliveries at least 1
     * @return this
     */
    public Builder<K, V> deliveryLimit(int deliveries) {
      this.deliveryLimit = OptionalInt.of(ConsumerSettings.atLeastOne("deliveryLimit", deliveries));
      return this;
    }

    /**
     * Starts to read, on a non-daemon thread for each consumer.
     *
     * @return a running receiver
     * @throws IllegalArgumentException if a setting breaks its rule, or a topic does not exist
     * @throws org.apache.kafka.common.KafkaException if the properties do not make a valid consumer
     */
    public KafkaShareReceiver<K, V> start() {
      Subscription.Topics wanted = new Subscription.Topics(topics); // refuses none
      ReceiverPort.Settings given = receiver.port().settings();
      if (given.transactional()) {
        throw new IllegalArgumentException("the receiver is transactional but must be leased:"
            + " KafkaShareReceiver is not tested in transactional mode");
      }
      new StartChecks(group.properties(), wanted).run(given.retention(), RetentionCheck.WARN);
      int limit = group.deliveryLimit(given.lease(), deliveryLimit);
      CountDownLatch fetching = new CountDownLatch(consumers);
      List<PollThread> threads = new ArrayList<>();
      while (threads.size() < consumers) {
        threads.add(new PollThread(
            "hapax-kafka-" + group.name() + "-" + (threads.size() + 1),
            () -> new ShareLoop<>(topics, member(limit), receiver, drainTimeout, fetching),
            receiver.port().clock()));
      }
      threads.forEach(PollThread::start);
      return new KafkaShareReceiver<>(receiver, threads, drainTimeout.plus(PollingLoop.LEAVING));
    }

    private ShareMember<K, V> member(int limit) {
      Map<String, Object> properties = group.properties();
      RecordHandouts<K, V> handouts = RecordHandouts.ofBytes(properties);
      return new ShareMember<>(
          new KafkaShareConsumer<>(
              properties, new ByteArrayDeserializer(), new ByteArrayDeserializer()),
          handouts,
          limit);
    }
  }
}
