package io.hapax.operations.kafka;

import io.hapax.DeadLetter;
import io.hapax.adapter.DeadLetterHeaders;
import io.hapax.adapter.deadletter.DeadLetterMetadata;
import io.hapax.kafka.KafkaDeadLetterPublisher;
import io.hapax.kafka.internal.DeadLetterRecord;
import io.hapax.kafka.internal.DurableProducer;
import io.hapax.kafka.internal.RecordPlace;
import io.hapax.kafka.internal.SpringHeaders;
import io.hapax.operations.internal.LetterBroker;
import io.hapax.operations.text.Text;
import io.hapax.operations.topic.TopicPart;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Reads dead-letter records, and publishes records again, as bytes. */
final class KafkaLetters implements LetterBroker<ConsumerRecord<byte[], byte[]>> {

  static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final TopicRecords<byte[], byte[]> reader;
  private final Map<?, ?> publishing;
  private final Producer<byte[], byte[]> producer;

  /**
   * Connects, with the properties of a consumer without a group, which reads bytes, and those of a
   * producer.
   *
   * @throws IllegalArgumentException if a property breaks its rule
   * @throws AuditFailedException if the properties do not make a valid client
   */
  KafkaLetters(Map<String, Object> reading, Map<?, ?> publishing) {
    ByteArraySerializer bytes = new ByteArraySerializer();
    Map<String, Object> durable = DurableProducer.forAnySize(publishing);
    this.publishing = publishing;
    this.reader = new TopicRecords<>(reading, TIMEOUT);
    try {
      this.producer = new KafkaProducer<>(durable, bytes, bytes);
    } catch (RuntimeException e) {
      reader.close();
      throw e instanceof KafkaException
          ? Text.of("brokers.unreachable", String.valueOf(e.getMessage())).failure(e)
          : e;
    }
  }

  @Override
  public TopicRecords<byte[], byte[]> reader() {
    return reader;
  }

  @Override
  public Letter<ConsumerRecord<byte[], byte[]>> letter(ConsumerRecord<byte[], byte[]> record) {
    DeadLetterMetadata metadata = DeadLetterRecord.metadata(record.headers());
    Optional<RecordPlace> origin = RecordPlace.of(metadata.coordinates());
    return new Letter<>(
        metadata,
        record.timestamp(),
        origin.map(it -> asItCame(record, it)).orElse(record),
        origin.map(it -> it.partition().topic()),
        DeadLetterRecord.missing(record).map(it -> Text.of("record.no-" + it.part(), it.what())));
  }

  /** Returns the record as its receiver saw it: its id may depend on its topic. */
  private static ConsumerRecord<byte[], byte[]> asItCame(
      ConsumerRecord<byte[], byte[]> letter, RecordPlace origin) {
    return new ConsumerRecord<>(
        origin.partition().topic(),
        origin.partition().partition(),
        origin.offset(),
        timestamp(letter),
        TimestampType.CREATE_TIME,
        letter.serializedKeySize(),
        letter.serializedValueSize(),
        letter.key(),
        letter.value(),
        DeadLetterRecord.own(letter),
        Optional.empty());
  }

  private static long timestamp(ConsumerRecord<?, ?> letter) {
    Headers headers = letter.headers();
    return DeadLetterRecord.text(headers, DeadLetterHeaders.TIMESTAMP)
        .filter(it -> it.matches("\\d{1,18}"))
        .map(Long::parseLong)
        .or(() -> SpringHeaders.timestamp(headers))
        .orElse(letter.timestamp());
  }

  @Override
  public String home(ConsumerRecord<byte[], byte[]> message) {
    return homeOf(message).toString();
  }

  private static TopicPartition homeOf(ConsumerRecord<?, ?> message) {
    return new TopicPartition(message.topic(), message.partition());
  }

  @Override
  public Optional<Text> homeless(ConsumerRecord<byte[], byte[]> message)
      throws InterruptedException {
    return missing(homeOf(message));
  }

  private Optional<Text> missing(TopicPartition place) throws InterruptedException {
    List<Integer> partitions = reader.brokers().partitions(place.topic());
    if (partitions.contains(place.partition())) {
      return Optional.empty();
    }
    return Optional.of(
        partitions.isEmpty()
            ? Text.of("record.topic-gone", place.topic())
            : Text.of("record.partition-gone", place.topic(), place.partition()));
  }

  @Override
  public String topic(ConsumerRecord<byte[], byte[]> message) {
    return message.topic();
  }

  /**
   * Publishes a record with a new timestamp, so that the topic's retention does not remove the
   * record at once.
   */
  @Override
  public void publish(ConsumerRecord<byte[], byte[]> message, String coordinates)
      throws InterruptedException {
    ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
        message.topic(), message.partition(), message.key(), message.value(), message.headers());
    try {
      producer.send(record).get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      throw Text.of("brokers.refused", e).failure(e);
    }
  }

  @Override
  public Optional<List<Place>> places(String coordinates) throws InterruptedException {
    Optional<RecordPlace> found = RecordPlace.of(coordinates);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    TopicPartition home = found.get().partition();
    TopicPart part = new TopicPart(home.topic(), Set.of(home.partition()));
    return Optional.of(
        missing(home).isPresent()
            ? List.of()
            : List.of(new Place(part, home.toString(), found.get().offset())));
  }

  @Override
  public Graveyard<ConsumerRecord<byte[], byte[]>> graveyard(String topic) {
    KafkaDeadLetterPublisher<byte[], byte[]> publisher =
        KafkaDeadLetterPublisher.to(topic, publishing);
    return new Graveyard<>() {
      @Override
      public void publish(DeadLetter<ConsumerRecord<byte[], byte[]>> letter) throws Exception {
        publisher.publish(letter);
      }

      @Override
      public void close() {
        publisher.close();
      }
    };
  }

  @Override
  public void close() {
    producer.close(TIMEOUT);
    reader.close();
  }
}
