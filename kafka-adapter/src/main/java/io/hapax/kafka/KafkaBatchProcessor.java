package io.hapax.kafka;

import io.hapax.IdempotentReceiver;
import io.hapax.adapter.Handout;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.PolledMessage;
import io.hapax.errors.ReceiverClosedException;
import io.hapax.health.Problem;
import io.hapax.health.Problems;
import io.hapax.kafka.internal.AlteredPollException;
import io.hapax.kafka.internal.PolledPositions;
import io.hapax.kafka.internal.RecordHandouts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Processes the records of an existing poll loop. It takes the records of one poll, lets each
 * message take effect once, and returns commits, seeks and pauses.
 *
 * <pre>{@code
 * KafkaBatchProcessor<String, String> processor =
 *     KafkaBatchProcessor.of(receiver, consumerProperties, Duration.ofMinutes(1));
 * try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(consumerProperties)) {
 *   consumer.subscribe(List.of("orders"));
 *   while (running) {
 *     processor.resumeDue(consumer);
 *     ConsumerRecords<String, String> records = consumer.poll(Duration.ofMillis(500));
 *     processor.process(records).applyTo(consumer);
 *   }
 * }
 * }</pre>
 *
 * <p><b>A record whose key or value is neither a text, a number nor a byte array is given to a
 * handler once</b>, because the handler may change that object and its bytes are not known. If a
 * transaction rolls back, its records are therefore read again from the broker and run one by one.
 *
 * <p>{@link #process} blocks while handlers run, so {@code max.poll.interval.ms} must be longer
 * than the patience plus the longest handler. Not thread-safe: use it on the poll thread only.
 *
 * @param <K> the record's key
 * @param <V> the record's value
 */
public final class KafkaBatchProcessor<K, V> {

  private static final Duration REST = Duration.ofSeconds(1);
  private static final Outcome LEFT_OUT = new Outcome.Dropped("the application does not want it");
  private static final Problems.Found UNFINISHED = new Problems.Found(
      Problem.Kind.RECEIVER_DOWN,
      "",
      "a poll was not finished: nothing is processed until seekBack is called");

  private final IdempotentReceiver<ConsumerRecord<K, V>> receiver;
  private final Duration patience;
  private final boolean onCallerThread;
  private final Set<TopicPartition> proven = new HashSet<>();
  private final PausedPartitions paused = new PausedPartitions();
  private final Problems problems;

  /** Where the polls began that {@link #process} has not finished: the lowest offsets. */
  private final Map<TopicPartition, OffsetAndMetadata> unfinished = new HashMap<>();

  private Function<ConsumerRecord<K, V>, Handout<ConsumerRecord<K, V>>> handouts =
      RecordHandouts.<K, V>ofOthers()::of;

  private boolean broken;
  private @Nullable AlteredPollException altered;

  private KafkaBatchProcessor(
      IdempotentReceiver<ConsumerRecord<K, V>> receiver,
      Duration patience,
      boolean onCallerThread) {
    this.receiver = receiver;
    this.patience = patience;
    this.onCallerThread = onCallerThread;
    this.problems = new Problems(receiver.port().clock());
  }

  /**
   * {@return a processor}
   *
   * @param receiver the receiver; stays open
   * @param consumerProperties the properties of the consumer whose records are processed. They must
   *     set {@code enable.auto.commit} to false explicitly, because Kafka's default is true
   * @param patience how long a poll may wait before messages that have not started are deferred;
   *     less than {@code max.poll.interval.ms}, and longer than
   *     {@link io.hapax.adapter.ReceiverPort.Settings#probing}
   * @param <K> the record's key
   * @param <V> the record's value
   * @throws IllegalArgumentException if a property breaks its rule
   */
  public static <K, V> KafkaBatchProcessor<K, V> of(
      IdempotentReceiver<ConsumerRecord<K, V>> receiver,
      Map<?, ?> consumerProperties,
      Duration patience) {
    ConsumerSettings unused = requirePatience(receiver, consumerProperties, patience);
    return new KafkaBatchProcessor<>(receiver, patience, false);
  }

  /**
   * {@return a processor that runs handlers on the thread that calls {@link #process}, one message
   * at a time} See {@link IdempotentReceiver#receiveOnCallerThread}.
   *
   * @param receiver the receiver; stays open
   * @param consumerProperties as for {@link #of}
   * @param patience as for {@link #of}
   * @param <K> the record's key
   * @param <V> the record's value
   * @throws IllegalArgumentException if a property breaks its rule, or a static member's session is
   *     longer than the lease
   */
  public static <K, V> KafkaBatchProcessor<K, V> onCallerThread(
      IdempotentReceiver<ConsumerRecord<K, V>> receiver,
      Map<?, ?> consumerProperties,
      Duration patience) {
    requirePatience(receiver, consumerProperties, patience)
        .requireSessionWithin(receiver.port().settings().lease());
    return new KafkaBatchProcessor<>(receiver, patience, true);
  }

  private static ConsumerSettings requirePatience(
      IdempotentReceiver<?> receiver, Map<?, ?> consumerProperties, Duration patience) {
    ConsumerSettings settings = ConsumerSettings.ofForeignConsumer(consumerProperties);
    if (patience.isNegative() || patience.compareTo(settings.maxPollInterval()) >= 0) {
      throw new IllegalArgumentException("patience is " + patience
          + " but must not be negative and must be less than max.poll.interval.ms "
          + settings.maxPollInterval());
    }
    Duration probing = receiver.port().settings().probing();
    if (!probing.isZero() && patience.compareTo(probing) <= 0) {
      throw new IllegalArgumentException("patience is " + patience + " but must be longer than "
          + probing + ", the quiet period and the timeout of probe(..): a message in doubt would"
          + " never run");
    }
    return settings;
  }

  /**
   * Sets how handlers get a record, for a consumer whose bytes are kept. Otherwise an object that a
   * handler can change is given to one call only.
   *
   * @param function makes the handout of a record that was polled
   * @return this
   */
  public KafkaBatchProcessor<K, V> handouts(
      Function<ConsumerRecord<K, V>, Handout<ConsumerRecord<K, V>>> function) {
    this.handouts = function;
    return this;
  }

  /**
   * Processes the records of a poll and waits for their outcomes.
   *
   * @param records the records that the consumer returned, all of them: with a part of them the
   *     positions of the whole poll would be committed
   * @return the offsets to commit, the offsets to seek to, and how long partitions pause
   * @throws InterruptedException if the thread was interrupted. Nothing of the poll may then be
   *     committed; {@link #seekBack} makes the consumer read it again
   * @throws ReceiverClosedException if the receiver is closed or has failed
   * @throws IllegalStateException if an earlier call threw and {@link #seekBack} was not called.
   *     The consumer has moved on since, so a commit now would cover records that are not settled.
   *     Also if an interceptor has moved, split or turned records: see {@link #seekBack}
   */
  public Processed process(ConsumerRecords<K, V> records) throws InterruptedException {
    return process(records, record -> false);
  }

  /**
   * Processes the records of a poll as {@link #process(ConsumerRecords)} does, but leaves some out:
   * they are committed without a mark, and need no id.
   *
   * @param records the records that the consumer returned
   * @param leftOut accepts the records that the application does not want
   * @return the offsets to commit, the offsets to seek to, and how long partitions pause
   * @throws InterruptedException if the thread was interrupted, as above
   * @throws ReceiverClosedException if the receiver is closed or has failed
   * @throws IllegalStateException if an earlier call threw, as above
   */
  public Processed process(
      ConsumerRecords<K, V> records, Predicate<? super ConsumerRecord<K, V>> leftOut)
      throws InterruptedException {
    PolledPositions positions = remember(records);
    if (broken) {
      throw new IllegalStateException("an earlier poll was not finished, and its records would be"
          + " lost: call seekBack, or read again from the committed offsets, with a new processor");
    }
    broken = true;
    try {
      Processed processed = settled(records, positions, leftOut);
      broken = false;
      unfinished.clear();
      return processed;
    } finally {
      showProblems();
    }
  }

  /** Remembers where a poll began. After an altered one it is not known where to read again. */
  private PolledPositions remember(ConsumerRecords<?, ?> polled) {
    if (altered != null) {
      throw altered;
    }
    try {
      PolledPositions positions = PolledPositions.of(polled);
      positions
          .before()
          .forEach((partition, offset) ->
              unfinished.merge(partition, offset, KafkaBatchProcessor::lower));
      return positions;
    } catch (AlteredPollException e) {
      altered = e;
      showProblems();
      throw e;
    }
  }

  private static OffsetAndMetadata lower(OffsetAndMetadata one, OffsetAndMetadata other) {
    return one.offset() <= other.offset() ? one : other;
  }

  /**
   * Makes the consumer read the records of a poll again, so that none is lost after an exception of
   * {@link #process}, of {@link Processed#applyTo} or of your own code between them. The processor
   * can be used again. Records that were completed are duplicates when they are redelivered. The
   * partitions rest for a second, so that a loop that catches every exception does not spin.
   * Partitions that were revoked meanwhile are left out.
   *
   * <p>An exception of {@code poll} itself moves no position. Call this method with
   * {@link ConsumerRecords#empty()} then, or not at all.
   *
   * @param polled the records that the latest poll returned
   * @param consumer the consumer, on its own thread
   * @throws IllegalStateException if an interceptor has moved, split or turned records of the poll,
   *     or of one that {@link #process} refused for it: it is not known where to read again. Close
   *     the consumer; the next one, with a new processor, begins at the committed offsets
   */
  public void seekBack(ConsumerRecords<?, ?> polled, Consumer<?, ?> consumer) {
    var unused = remember(polled);
    long due = System.nanoTime() + REST.toNanos();
    unfinished.forEach((partition, offset) -> {
      Processed.rewind(consumer, partition, offset);
      paused.until(partition, due);
    });
    unfinished.clear();
    broken = false;
    showProblems();
  }

  /**
   * {@return the problems that keep messages from moving, by kind; empty while there is none} These
   * are partitions that wait, with the offset and the reason, a poll that was not finished, and the
   * problems of the {@link IdempotentReceiver}. Thread-safe.
   */
  public List<Problem> problems() {
    return Problems.join(problems.list(), receiver.problems());
  }

  private void showProblems() {
    Stream<Problems.Found> ofPolls = altered == null
        ? Stream.of(UNFINISHED).filter(it -> broken)
        : Stream.of(new Problems.Found(
            Problem.Kind.CONFIGURATION, "", String.valueOf(altered.getMessage())));
    problems.replaceAll(Stream.concat(paused.problems().stream(), ofPolls).toList());
  }

  private Processed settled(
      ConsumerRecords<K, V> records,
      PolledPositions positions,
      Predicate<? super ConsumerRecord<K, V>> leftOut)
      throws InterruptedException {
    Set<TopicPartition> received = new HashSet<>();
    List<AssignedPartition<K, V>> partitions =
        AssignedPartition.ofPoll(records, positions, handouts);
    List<PolledMessage<ConsumerRecord<K, V>>> polled = new ArrayList<>();
    List<Incoming<ConsumerRecord<K, V>>> messages = new ArrayList<>();
    for (AssignedPartition<K, V> partition : partitions) {
      boolean probation = !proven.contains(partition.partition());
      for (PolledMessage<ConsumerRecord<K, V>> message :
          partition.offsets().take(Integer.MAX_VALUE, System.nanoTime())) {
        if (leftOut.test(message.message())) {
          message.tracker().resolved(message, LEFT_OUT, System.nanoTime());
        } else {
          received.add(partition.partition());
          polled.add(message);
          messages.add(AssignedPartition.incoming(message, message.coordinates(), probation));
        }
      }
    }
    if (!messages.isEmpty()) {
      List<Outcome> outcomes = onCallerThread
          ? receiver.receiveOnCallerThread(messages, patience)
          : receiver.receive(messages, patience);
      AssignedPartition.resolved(polled, outcomes);
    }
    return summary(partitions, received);
  }

  private Processed summary(
      List<AssignedPartition<K, V>> partitions, Set<TopicPartition> received) {
    Map<TopicPartition, OffsetAndMetadata> commits = new HashMap<>();
    Map<TopicPartition, OffsetAndMetadata> seeks = new HashMap<>();
    Map<TopicPartition, Duration> waits = new HashMap<>();
    long now = System.nanoTime();
    for (AssignedPartition<K, V> each : partitions) {
      TopicPartition partition = each.partition();
      each.lowestUnfinished().ifPresent(offset -> commits.put(partition, offset));
      if (each.offsets().firstUnfinished().isPresent()) {
        Duration wait = each.offsets().remaining(now);
        each.lowestUnfinished().ifPresent(offset -> seeks.put(partition, offset));
        waits.put(partition, wait);
        paused.until(partition, now + wait.toNanos());
      } else if (received.contains(partition)) {
        proven.add(partition);
      }
      paused.moves(partition);
      each.problem(now, patience).ifPresent(it -> paused.found(partition, it));
    }
    return new Processed(Map.copyOf(commits), Map.copyOf(seeks), Map.copyOf(waits));
  }

  /**
   * Resumes the partitions whose pause has expired. Call it before each poll. Kafka's consumer does
   * not remember who paused a partition: pause one of your own again after this call.
   *
   * @param consumer the consumer, on its own thread
   */
  public void resumeDue(Consumer<?, ?> consumer) {
    paused.resumeDue(consumer);
  }

  /**
   * Forgets partitions that were revoked or lost. When they are assigned again, their first window
   * uses one-by-one mode again. Call it from the consumer's rebalance listener. Without that call
   * only the first window after a start uses one-by-one mode.
   *
   * @param partitions the partitions
   */
  public void forget(Collection<TopicPartition> partitions) {
    proven.removeAll(partitions);
    paused.forget(partitions);
    unfinished.keySet().removeAll(partitions);
    showProblems();
  }
}
