package io.hapax.kafka;

import io.hapax.IdExtractor;
import io.hapax.audit.AuditProgress;
import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicPart;
import io.hapax.redrive.DeadLetterSelection;
import io.hapax.redrive.Redrive;
import io.hapax.redrive.RedriveFailedException;
import io.hapax.redrive.RedriveReport;
import io.hapax.redrive.RedriveResult;
import io.hapax.redrive.RedriveRun;
import io.hapax.redrive.RedriveSettings;
import io.hapax.redrive.StoredDeadLetter;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;

/**
 * Publishes messages that failed for good to their original partition again. An operator starts it,
 * after the cause of the failure is fixed. It reads the dead-letter records that
 * {@link KafkaDeadLetterPublisher} published.
 *
 * <p>The redriver first reopens the message's mark: attempts and doubt are reset. Then it publishes
 * the record and waits for the brokers to acknowledge it. The order matters, because a consumer
 * that receives a record while its mark is DEAD acknowledges the record without running it. A crash
 * between the two steps leaves a reopened mark and no published record; redrive the dead-letter
 * record again. A message that is redriven twice takes effect once, like any redelivery.
 *
 * <p>{@link RedriveSettings} name the topics that may be published to. The redriver refuses a
 * dead-letter record:
 *
 * <ul>
 *   <li>if its message came from another topic, whatever its headers say;
 *   <li>if the original topic or partition no longer exists;
 *   <li>if a part of the message was cut off;
 *   <li>if the message has no mark in the store, unless the settings accept that.
 * </ul>
 *
 * <p>Thread-safe.
 *
 * @param <K> the record's key
 * @param <V> the record's value
 */
public final class KafkaRedriver<K, V> implements AutoCloseable {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final Redrive marks;
  private final RedriveSettings settings;
  private final IdExtractor<ConsumerRecord<K, V>> ids;
  private final BrokerView brokers;
  private final RecordProducer<K, V> producer;

  private KafkaRedriver(
      Redrive marks,
      RedriveSettings settings,
      IdExtractor<ConsumerRecord<K, V>> ids,
      BrokerView brokers,
      RecordProducer<K, V> producer) {
    this.marks = marks;
    this.settings = settings;
    this.ids = ids;
    this.brokers = brokers;
    this.producer = producer;
  }

  /**
   * Connects to the brokers.
   *
   * @param store the consumer's store; stays open when the redriver is closed
   * @param consumer the consumer's name, as configured in the builder of its receiver
   * @param ids the id extractor of that receiver
   * @param settings the topics that may be published to
   * @param producerProperties properties of the producer, as for {@link KafkaDeadLetterPublisher}
   * @param <K> the record's key
   * @param <V> the record's value
   * @return a redriver; the caller closes it
   * @throws IllegalArgumentException if a property or the consumer's name breaks its rule
   */
  public static <K, V> KafkaRedriver<K, V> of(
      DedupStore store,
      String consumer,
      IdExtractor<ConsumerRecord<K, V>> ids,
      RedriveSettings settings,
      Map<?, ?> producerProperties) {
    Redrive marks = new Redrive(store, consumer, settings);
    Map<String, Object> properties = KafkaDeadLetterPublisher.forAnySize(producerProperties);
    RecordProducer<K, V> producer = RecordProducer.open(properties);
    try {
      BrokerView brokers = BrokerView.open(properties, TIMEOUT);
      return new KafkaRedriver<>(marks, settings, ids, brokers, producer);
    } catch (RuntimeException e) {
      producer.close();
      throw e;
    }
  }

  /**
   * Redrives one dead-letter record to its original partition. The published record gets a new
   * timestamp, so that the topic's retention does not remove it at once.
   *
   * @param letter the record, as read from the dead-letter topic
   * @return the result
   * @throws io.hapax.store.StoreException if the store did not answer; the mark may be reopened
   * @throws io.hapax.audit.AuditFailedException if the brokers did not answer whether the original
   *     topic and partition still exist; the mark is unchanged
   * @throws ExecutionException if the brokers refused the record; the mark is reopened
   * @throws TimeoutException if the brokers did not acknowledge the record in time; the mark is
   *     reopened
   * @throws InterruptedException if the thread was interrupted; the mark is reopened
   */
  public RedriveResult redrive(ConsumerRecord<K, V> letter)
      throws ExecutionException, TimeoutException, InterruptedException {
    DeadRecord<K, V> dead = DeadRecord.of(letter);
    return redrive(dead, destined(dead.found(ids, settings), dead, new Destinations(brokers)));
  }

  private RedriveResult redrive(DeadRecord<K, V> letter, StoredDeadLetter found)
      throws ExecutionException, TimeoutException, InterruptedException {
    RedriveResult answer = marks.reopen(found);
    if (answer instanceof RedriveResult.Published) {
      producer.send(letter.revived(producer));
    }
    return answer;
  }

  /** Adds a flaw if the original topic or partition no longer exists. */
  private static StoredDeadLetter destined(
      StoredDeadLetter found, DeadRecord<?, ?> letter, Destinations destinations)
      throws InterruptedException {
    return found.flaw().isPresent()
        ? found
        : destinations.flaw(letter.home()).map(found::withFlaw).orElse(found);
  }

  /**
   * Returns what {@link #redrive(Map, TopicPart, StartingPoint, DeadLetterSelection)} would do.
   * Reads the dead-letter topic with a consumer that belongs to no group. Publishes nothing and
   * changes no mark.
   *
   * @param consumerProperties properties of that consumer, as for {@link KafkaAudit}
   * @param letters the dead-letter topic
   * @param from where to begin; reading ends where the topic ends at the time of the call
   * @param which the selected dead-letter records
   * @return the results that a redrive would have
   * @throws IllegalArgumentException if the topic or a partition does not exist, or ends before the
   *     starting point
   * @throws io.hapax.audit.AuditFailedException if the brokers do not answer
   * @throws io.hapax.store.StoreException if the store does not answer
   * @throws InterruptedException if the thread was interrupted
   */
  public RedriveReport plan(
      Map<?, ?> consumerProperties,
      TopicPart letters,
      StartingPoint from,
      DeadLetterSelection which)
      throws InterruptedException {
    RedriveRun run = marks.run(false, which);
    return read(consumerProperties, letters, from, run, (found, letter) -> marks.look(found));
  }

  /**
   * Redrives the dead-letter records of a topic one after the other, as
   * {@link #redrive(ConsumerRecord)} does. If a message has several of them, only one is redriven.
   * The dead-letter records remain in their topic. If a call fails, some are published and others
   * are not; call it again.
   *
   * @param consumerProperties properties of the consumer that reads the dead-letter topic, as for
   *     {@link KafkaAudit}; it belongs to no group
   * @param letters the dead-letter topic
   * @param from where to begin; reading ends where the topic ends at the time of the call
   * @param which the selected dead-letter records
   * @return the results
   * @throws IllegalArgumentException if the topic or a partition does not exist, or ends before the
   *     starting point
   * @throws io.hapax.audit.AuditFailedException if the dead-letter topic cannot be read further, or
   *     the brokers do not answer whether an original topic and partition still exist
   * @throws RedriveFailedException if the brokers did not accept a record; its mark is reopened
   * @throws io.hapax.store.StoreException if the store did not answer; the mark may be reopened
   * @throws InterruptedException if the thread was interrupted; a mark may be reopened
   */
  public RedriveReport redrive(
      Map<?, ?> consumerProperties,
      TopicPart letters,
      StartingPoint from,
      DeadLetterSelection which)
      throws InterruptedException {
    RedriveRun run = marks.run(true, which);
    return read(consumerProperties, letters, from, run, (found, letter) -> {
      try {
        return redrive(letter, found);
      } catch (ExecutionException | TimeoutException | KafkaException e) {
        throw run.failed(found, e);
      }
    });
  }

  /** Plans or redrives one selected dead-letter record. */
  private interface Step<K, V> {
    RedriveResult take(StoredDeadLetter found, DeadRecord<K, V> letter) throws InterruptedException;
  }

  private RedriveReport read(
      Map<?, ?> consumerProperties,
      TopicPart letters,
      StartingPoint from,
      RedriveRun run,
      Step<K, V> step)
      throws InterruptedException {
    Destinations destinations = new Destinations(brokers);
    RecordSink<K, V> sink = new RecordSink<>() {
      @Override
      public void add(ConsumerRecord<K, V> record, String coordinates) throws InterruptedException {
        DeadRecord<K, V> letter = DeadRecord.of(record);
        StoredDeadLetter found = letter.found(ids, settings);
        run.next(found, () -> step.take(destined(found, letter, destinations), letter));
      }

      @Override
      public void addUnreadable(String coordinates, String why) {
        run.unreadable(coordinates, why);
      }
    };
    Map<String, Object> properties = KafkaAudit.withoutGroup(consumerProperties);
    try (BrokerView readable = BrokerView.open(properties, TIMEOUT);
        Consumer<K, V> reader = RecordHandouts.consumer(properties)) {
      List<PartitionRange> ranges = List.copyOf(readable.ranges(letters, from).values());
      new TopicScan<>(reader, sink, AuditProgress.NONE, TIMEOUT).read(ranges);
      return run.report(ranges.stream().map(PartitionRange::range).toList());
    } catch (KafkaException e) {
      throw KafkaAudit.failed(e);
    }
  }

  /** Closes the connections to the brokers. */
  @Override
  public void close() {
    producer.close();
    brokers.close();
  }
}
