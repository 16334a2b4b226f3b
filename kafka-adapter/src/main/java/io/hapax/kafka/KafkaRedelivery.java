package io.hapax.kafka;

import io.hapax.IdExtractor;
import io.hapax.audit.AuditFailedException;
import io.hapax.mark.Bytes;
import io.hapax.redrive.MarkOperations;
import io.hapax.redrive.Redelivery;
import io.hapax.redrive.RedriveResult;
import io.hapax.redrive.RedriveResult.Refused;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/**
 * Has the message of a stale mark delivered again, on an operator's word: one that was skipped by
 * hand, or whose mark a dead consumer left behind for good. The record is fetched from where its
 * mark says that it lies and published again to that partition, with its key, headers and value;
 * whoever it is delivered to takes the mark over. All groups of that topic get it, and those
 * without a business id and a store run it again. On a compacted topic it is its key's value from
 * then on.
 *
 * <p>No mark is changed here, and a message that is delivered twice takes effect once, so it may be
 * done again. Refused while somebody holds the mark, and when the record is gone or is another.
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
  private final Producer<K, V> producer;

  private KafkaRedelivery(
      MarkOperations marks,
      IdExtractor<ConsumerRecord<K, V>> ids,
      Map<String, Object> reading,
      BrokerView brokers,
      Producer<K, V> producer) {
    this.marks = marks;
    this.ids = ids;
    this.reading = reading;
    this.brokers = brokers;
    this.producer = producer;
  }

  /**
   * Connects.
   *
   * @param marks the consumer's marks
   * @param ids how the consumer's receiver finds a message's id
   * @param consumerProperties properties of the consumer that fetches, which belongs to no group,
   *     as for {@link KafkaAudit}
   * @param producerProperties properties of the producer, as for {@link KafkaRedriver}
   * @param <K> the record's key
   * @param <V> the record's value
   * @return a redelivery, to be closed by the caller
   * @throws IllegalArgumentException if a property breaks its rule
   * @throws AuditFailedException if no client can be made of the properties
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
        return new KafkaRedelivery<>(marks, ids, reading, brokers, new KafkaProducer<>(properties));
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
    return marks.redeliver(id, (coordinates, bytes) -> redeliver(coordinates, bytes, false));
  }

  @Override
  public RedriveResult execute(String id) throws InterruptedException {
    return marks.redeliver(id, (coordinates, bytes) -> redeliver(coordinates, bytes, true));
  }

  private RedriveResult redeliver(String coordinates, Bytes id, boolean executes)
      throws InterruptedException {
    Optional<RecordPlace> place = RecordPlace.of(coordinates);
    if (place.isEmpty()) {
      return new Refused("its mark says that it lies at " + coordinates + ", which is no place");
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
    if (executes) {
      publish(record.get());
    }
    return new RedriveResult.Published();
  }

  /** With a new timestamp, lest the topic's retention removes it at once. */
  private void publish(ConsumerRecord<K, V> record) throws InterruptedException {
    try {
      producer
          .send(new ProducerRecord<>(
              record.topic(), record.partition(), record.key(), record.value(), record.headers()))
          .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      throw new AuditFailedException("the brokers did not take the message: " + e, e);
    }
  }

  /** Closes its connections. */
  @Override
  public void close() {
    producer.close(TIMEOUT);
    brokers.close();
  }
}
