package io.hapax.kafka;

import io.hapax.DeadLetter;
import io.hapax.DeadLetterPublisher;
import io.hapax.kafka.internal.DeadLetterRecord;
import io.hapax.kafka.internal.DurableProducer;
import io.hapax.kafka.internal.ReceivedPart;
import io.hapax.kafka.internal.ReceivedRecord;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes dead letters to a topic. A dead-letter record has the record's key, value and headers.
 * Of the receivers of this library they are those that were received, whatever the deserializers
 * made of them. Records of a consumer of your own are serialized with the given serializers. It
 * adds the headers {@code hapax-consumer}, {@code hapax-id}, {@code hapax-attempts},
 * {@code hapax-kind}, {@code hapax-detail}, {@code hapax-failed-at}, {@code hapax-in-doubt},
 * {@code hapax-coordinates} and {@code hapax-timestamp} (the original record's, in milliseconds).
 * It has a timestamp of its own, so that retention by time counts from its publication.
 *
 * <p>It also adds the {@code kafka_dlt-} headers of Spring Kafka, in Spring's binary encodings:
 * {@code original-topic}, {@code original-partition}, {@code original-offset},
 * {@code original-timestamp}, {@code original-timestamp-type}, {@code original-consumer-group} (if
 * it is set) and {@code exception-message}. If an attempt failed in this process, they are followed
 * by {@code exception-fqcn}, {@code exception-cause-fqcn} and the first 8192 characters of
 * {@code exception-stacktrace}.
 *
 * <p>The producer has no limit of its own and compresses, so that a record that a source topic
 * holds compressed fits into the dead-letter topic too. If the broker refuses the record as too
 * large all the same ({@code max.message.bytes} of the dead-letter topic), its head is published:
 *
 * <ul>
 *   <li>the first 4096 bytes of the value; {@code hapax-body-bytes} has its length;
 *   <li>no key if that is longer than 4096 bytes; {@code hapax-key-bytes} has its length;
 *   <li>not its longest headers if all together have more than 16 KiB; {@code hapax-left-out} names
 *       those, and {@code hapax-left-out-count} counts them.
 * </ul>
 *
 * <p>The missing parts remain at the place that {@code hapax-coordinates} names, as long as the
 * broker keeps the record. A redrive refuses a dead letter with missing parts.
 *
 * <p>Returns after all in-sync replicas have the record. After a time-out the record may arrive
 * later, and the next try publishes it once more. Thread-safe.
 *
 * @param <K> the record's key
 * @param <V> the record's value
 */
public final class KafkaDeadLetterPublisher<K, V>
    implements DeadLetterPublisher<ConsumerRecord<K, V>>, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaDeadLetterPublisher.class);

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final Serializer<K> keys;
  private final Serializer<V> values;
  private final Producer<byte[], byte[]> producer;
  private final DeadLetterTargets<K, V> targets;
  private final Optional<String> group;

  KafkaDeadLetterPublisher(
      Map<String, Object> properties, DeadLetterTargets<K, V> targets, Optional<String> group) {
    ByteArraySerializer bytes = new ByteArraySerializer();
    this.keys = serializer(properties, ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, true);
    this.values = serializer(properties, ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, false);
    this.producer = new KafkaProducer<>(properties, bytes, bytes);
    this.targets = targets;
    this.group = group;
  }

  /**
   * {@return a publisher to a topic that must exist, to be closed by the caller} A publication
   * waits up to 30 s for its acknowledgement.
   *
   * @param topic the dead-letter topic
   * @param producerProperties properties of the producer, with {@code bootstrap.servers} and
   *     serializers for key and value; {@code acks} is set to {@code all} and
   *     {@code enable.idempotence} to {@code true}. Unless given, {@code max.request.size} and
   *     {@code buffer.memory} are no limits and {@code compression.type} is {@code gzip}, which
   *     needs no native library; set {@code zstd} if the source topic holds large records that are
   *     compressed with it. Interceptors and partitioners see keys and values as bytes
   * @param <K> the record's key
   * @param <V> the record's value
   * @throws IllegalArgumentException if a property breaks its rule, or the topic does not exist or
   *     is compacted: brokers would remove a dead letter once another one has its key
   * @throws IllegalStateException if the brokers did not answer
   */
  public static <K, V> KafkaDeadLetterPublisher<K, V> to(
      String topic, Map<?, ?> producerProperties) {
    return KafkaDeadLetterPublisher.<K, V>builder(producerProperties)
        .topic(topic)
        .open();
  }

  /**
   * {@return a builder, for dead-letter topics whose names follow from those of the topics}
   *
   * @param producerProperties properties of the producer, as for {@link #to}
   * @param <K> the record's key
   * @param <V> the record's value
   * @throws IllegalArgumentException if a property breaks its rule
   */
  public static <K, V> KafkaDeadLetterBuilder<K, V> builder(Map<?, ?> producerProperties) {
    return new KafkaDeadLetterBuilder<>(DurableProducer.forAnySize(producerProperties));
  }

  @SuppressWarnings("unchecked") // only the properties name the type
  private static <T> Serializer<T> serializer(
      Map<String, Object> properties, String name, boolean isKey) {
    ProducerConfig config = new ProducerConfig(properties);
    Serializer<T> serializer = config.getConfiguredInstance(name, Serializer.class);
    serializer.configure(config.originals(), isKey); // without the variables of config providers
    return serializer;
  }

  @Override
  public void publish(DeadLetter<ConsumerRecord<K, V>> letter)
      throws ExecutionException, TimeoutException, InterruptedException {
    ConsumerRecord<K, V> record = letter.message();
    DeadLetterTargets.Target target = targets.of(record);
    Headers headers = DeadLetterRecord.headers(ReceivedRecord.headers(record), letter, group);
    ProducerRecord<byte[], byte[]> whole = serialized(target, record, headers);
    try {
      publish(letter, whole);
    } catch (ExecutionException | TimeoutException e) {
      targets.forget(target.topic());
      throw e;
    }
  }

  private ProducerRecord<byte[], byte[]> serialized(
      DeadLetterTargets.Target target, ConsumerRecord<K, V> record, Headers headers) {
    String topic = target.topic();
    byte[] value = ReceivedRecord.value(record)
        .map(ReceivedPart::bytes)
        .orElseGet(() -> values.serialize(topic, headers, record.value()));
    byte[] key = ReceivedRecord.key(record)
        .map(ReceivedPart::bytes)
        .orElseGet(() -> keys.serialize(topic, headers, record.key()));
    return new ProducerRecord<>(topic, target.partition(), key, value, headers);
  }

  private void publish(
      DeadLetter<ConsumerRecord<K, V>> letter, ProducerRecord<byte[], byte[]> whole)
      throws ExecutionException, TimeoutException, InterruptedException {
    try {
      send(whole);
    } catch (ExecutionException refused) {
      if (!(refused.getCause() instanceof RecordTooLargeException
          || refused.getCause() instanceof RecordBatchTooLargeException)) {
        throw refused;
      }
      send(DeadLetterRecord.head(whole, letter.message().serializedKeySize()));
      LOG.warn(
          "The dead letter of {} holds only the head of its record: {}",
          letter.coordinates(),
          refused.getMessage());
    }
  }

  private void send(ProducerRecord<byte[], byte[]> record)
      throws ExecutionException, TimeoutException, InterruptedException {
    producer.send(record).get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Closes the producer. */
  @Override
  public void close() {
    producer.close(TIMEOUT);
    keys.close();
    values.close();
  }
}
