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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;

/**
 * Brings dead letters that {@link KafkaDeadLetterPublisher} published back to where they came from,
 * on an operator's word: once what killed them is mended.
 *
 * <p>First the message's mark is reopened, with no attempts and no doubt, and then the record is
 * published and acknowledged by the brokers; never the other way round, because a consumer that
 * meets the record while its mark is DEAD acknowledges it without running it. A crash in between
 * leaves a mark that may be claimed and a dead letter that is not published: redrive it again. One
 * that is redriven twice takes effect once, like anything that is delivered twice.
 *
 * <p>{@link RedriveSettings} name the topics that may be published to. A record that came from
 * another topic is refused, whatever its headers say, and so is one whose topic or partition is
 * gone or of which a part was cut off, and, unless the settings accept it, one without a mark in
 * the store.
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
  private final Producer<K, V> producer;

  private KafkaRedriver(
      Redrive marks,
      RedriveSettings settings,
      IdExtractor<ConsumerRecord<K, V>> ids,
      BrokerView brokers,
      Producer<K, V> producer) {
    this.marks = marks;
    this.settings = settings;
    this.ids = ids;
    this.brokers = brokers;
    this.producer = producer;
  }

  /**
   * Connects.
   *
   * @param store the consumer's store; stays open when this is closed
   * @param consumer the consumer's name, as its receiver's builder was told it
   * @param ids how that receiver finds a message's id
   * @param settings the topics that may be published to
   * @param producerProperties properties of the producer, as for {@link KafkaDeadLetterPublisher}
   * @param <K> the record's key
   * @param <V> the record's value
   * @return a redriver, to be closed by the caller
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
    Producer<K, V> producer = new KafkaProducer<>(properties);
    try {
      BrokerView brokers = BrokerView.open(properties, TIMEOUT);
      return new KafkaRedriver<>(marks, settings, ids, brokers, producer);
    } catch (RuntimeException e) {
      producer.close(TIMEOUT);
      throw e;
    }
  }

  /**
   * Brings one dead letter back to the partition that it came from. It gets a new timestamp, lest
   * the topic's retention removes it at once.
   *
   * @param letter the record, as it was read from the dead-letter topic
   * @return what became of it
   * @throws io.hapax.store.StoreException if the store did not answer; the mark may be reopened
   * @throws io.hapax.audit.AuditFailedException if the brokers did not say whether there still is
   *     what it came from; the mark is as it was
   * @throws ExecutionException if the brokers refused the record; the mark is reopened
   * @throws TimeoutException if they did not acknowledge it in time; the mark is reopened
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
      producer.send(letter.revived()).get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }
    return answer;
  }

  /** With a flaw if the topic or partition that it came from is gone. */
  private static StoredDeadLetter destined(
      StoredDeadLetter found, DeadRecord<?, ?> letter, Destinations destinations)
      throws InterruptedException {
    return found.flaw().isPresent()
        ? found
        : destinations.flaw(letter.home()).map(found::withFlaw).orElse(found);
  }

  /**
   * Says what would become of the letters of a topic. Reads them with a consumer that belongs to no
   * group; publishes nothing and changes no mark.
   *
   * @param consumerProperties properties of that consumer, as for {@link KafkaAudit}
   * @param letters the dead-letter topic
   * @param from where to begin; it ends where the topic ends now
   * @param which the letters that are meant
   * @return what would be
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
   * Brings the letters of a topic back, one after the other, as {@link #redrive(ConsumerRecord)}
   * does; of several letters of one message one. They stay in their topic. If it fails in between
   * some are published and others not: do it again.
   *
   * @param consumerProperties properties of the consumer that reads them, which belongs to no
   *     group, as for {@link KafkaAudit}
   * @param letters the dead-letter topic
   * @param from where to begin; it ends where the topic ends now
   * @param which the letters that are meant
   * @return what became of them
   * @throws IllegalArgumentException if the topic or a partition does not exist, or ends before the
   *     starting point
   * @throws io.hapax.audit.AuditFailedException if the letters cannot be read on, or the brokers do
   *     not say whether there still is what they came from
   * @throws RedriveFailedException if the brokers did not take a record; its mark is reopened
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

  /** What is done with a letter that is meant. */
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
        KafkaConsumer<K, V> reader = new KafkaConsumer<>(properties)) {
      List<PartitionRange> ranges = List.copyOf(readable.ranges(letters, from).values());
      new TopicScan<>(reader, sink, AuditProgress.NONE, TIMEOUT).read(ranges);
    } catch (KafkaException e) {
      throw KafkaAudit.failed(e);
    }
    return run.report();
  }

  /** Closes its connections. */
  @Override
  public void close() {
    producer.close(TIMEOUT);
    brokers.close();
  }
}
