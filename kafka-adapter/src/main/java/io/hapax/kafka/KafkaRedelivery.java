package io.hapax.kafka;

import io.hapax.IdExtractor;
import io.hapax.audit.AuditFailedException;
import io.hapax.mark.Bytes;
import io.hapax.redrive.MarkOperations;
import io.hapax.redrive.Redelivery;
import io.hapax.redrive.RedriveResult;
import io.hapax.redrive.RedriveResult.Published;
import io.hapax.redrive.RedriveResult.Refused;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;

/**
 * Redelivers the message of a stale mark, when an operator asks for it. The message was skipped by
 * hand, or a dead consumer left its mark behind for good. The redelivery fetches the record from
 * the coordinates in its mark. It publishes the record to the same partition again, with its key,
 * headers and value. The consumer that receives it takes the mark over. All groups of that topic
 * receive the record. Groups without a business id and a store run it again. On a compacted topic
 * the record becomes the latest value of its key.
 *
 * <p>The redelivery changes no mark, and a message that is delivered twice takes effect once, so
 * the call may be repeated. It is refused while an owner holds the mark's lease. It is also refused
 * if the record is gone, or if another message is stored at its coordinates.
 *
 * <p>{@link #deadLetter} publishes the record to a dead-letter topic instead, and changes the mark.
 *
 * <p>For one thread.
 *
 * @param <K> the record's key
 * @param <V> the record's value
 */
public final class KafkaRedelivery<K, V> implements Redelivery {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final MarkOperations marks;
  private final IdExtractor<ConsumerRecord<K, V>> ids;
  private final Map<String, Object> reading;
  private final BrokerView brokers;
  private final Map<?, ?> producerProperties;
  private final RecordProducer<K, V> producer;

  private KafkaRedelivery(
      MarkOperations marks,
      IdExtractor<ConsumerRecord<K, V>> ids,
      Map<String, Object> reading,
      BrokerView brokers,
      Map<?, ?> producerProperties,
      RecordProducer<K, V> producer) {
    this.marks = marks;
    this.ids = ids;
    this.reading = reading;
    this.brokers = brokers;
    this.producerProperties = producerProperties;
    this.producer = producer;
  }

  /**
   * Connects to the brokers.
   *
   * @param marks the consumer's marks
   * @param ids the id extractor of the consumer's receiver
   * @param consumerProperties properties of the consumer that fetches, as for {@link KafkaAudit};
   *     it belongs to no group
   * @param producerProperties properties of the producer, as for {@link KafkaRedriver}
   * @param <K> the record's key
   * @param <V> the record's value
   * @return a redelivery; the caller closes it
   * @throws IllegalArgumentException if a property breaks its rule
   * @throws AuditFailedException if the properties do not make a valid client
   */
  public static <K, V> KafkaRedelivery<K, V> of(
      MarkOperations marks,
      IdExtractor<ConsumerRecord<K, V>> ids,
      Map<?, ?> consumerProperties,
      Map<?, ?> producerProperties) {
    Map<String, Object> properties = KafkaDeadLetterPublisher.forAnySize(producerProperties);
    Map<String, Object> reading = KafkaAudit.withoutGroup(consumerProperties);
    try {
      BrokerView brokers = BrokerView.open(reading, TIMEOUT);
      try {
        return new KafkaRedelivery<>(
            marks, ids, reading, brokers, producerProperties, RecordProducer.open(properties));
      } catch (RuntimeException e) {
        brokers.close();
        throw e;
      }
    } catch (KafkaException e) {
      throw new AuditFailedException("the brokers cannot be reached: " + e.getMessage(), e);
    }
  }

  @Override
  public RedriveResult plan(String id) throws InterruptedException {
    return marks.redeliver(
        id, (coordinates, bytes) -> found(coordinates, bytes, record -> new Published()));
  }

  @Override
  public RedriveResult execute(String id) throws InterruptedException {
    return marks.redeliver(
        id, (coordinates, bytes) -> found(coordinates, bytes, this::publishAgain));
  }

  @Override
  public RedriveResult deadLetter(String id, String topic) throws InterruptedException {
    try (KafkaDeadLetterPublisher<K, V> letters =
        KafkaDeadLetterPublisher.to(topic, producerProperties)) {
      return marks.redeliver(
          id,
          (coordinates, bytes) -> found(
              coordinates,
              bytes,
              record -> record.topic().equals(topic)
                  ? new Refused(topic + " is the topic of the message, not a dead-letter topic")
                  : marks.deadLetter(id, coordinates, record, letters)));
    }
  }

  /** Uses a record that was found at its place. */
  private interface Use<R> {
    RedriveResult of(R record) throws InterruptedException;
  }

  private RedriveResult found(String coordinates, Bytes id, Use<ConsumerRecord<K, V>> use)
      throws InterruptedException {
    Optional<RecordPlace> place = RecordPlace.of(coordinates);
    if (place.isEmpty()) {
      return new Refused("its mark names " + coordinates + ", which is not the place of a record");
    }
    Optional<String> flaw = new Destinations(brokers).flaw(place.get().partition());
    if (flaw.isPresent()) {
      return new Refused(flaw.get());
    }
    Optional<ConsumerRecord<K, V>> record =
        new RecordFetch<K, V>(brokers, reading, TIMEOUT).at(place.get());
    if (record.isEmpty()) {
      return new Refused("there is no message at " + coordinates + " any more");
    }
    Optional<String> other = MarkOperations.otherMessage(id, coordinates, record.get(), ids);
    if (other.isPresent()) {
      return new Refused(other.get());
    }
    return use.of(record.get());
  }

  /**
   * Publishes a record with a new timestamp, so that the topic's retention does not remove the
   * record at once.
   */
  private RedriveResult publishAgain(ConsumerRecord<K, V> record) throws InterruptedException {
    try {
      producer.send(producer.serialized(
          record.topic(), record.partition(), record, ReceivedRecord.headers(record)));
      return new Published();
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      throw new AuditFailedException("the brokers did not take the message: " + e, e);
    }
  }

  /** Closes the connections to the brokers. */
  @Override
  public void close() {
    producer.close();
    brokers.close();
  }
}
