package io.hapax.kafka;

import io.hapax.DeadLetter;
import io.hapax.DeadLetterPublisher;
import io.hapax.redrive.DeadLetterNote;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Publishes dead letters to a topic: the record's key, value and headers, and what is known of its
 * end in the headers {@code hapax-consumer}, {@code hapax-id}, {@code hapax-attempts},
 * {@code hapax-kind}, {@code hapax-detail}, {@code hapax-in-doubt}, {@code hapax-coordinates} and
 * {@code hapax-timestamp} (the original record's, in milliseconds). The new record gets a timestamp
 * of its own, so that retention by time counts from its death.
 *
 * <p>Returns after all in-sync replicas have the record. Thread-safe.
 *
 * @param <K> the record's key
 * @param <V> the record's value
 */
public final class KafkaDeadLetterPublisher<K, V>
    implements DeadLetterPublisher<ConsumerRecord<K, V>>, AutoCloseable {

  /** Added to the record's own headers, with those of {@link DeadLetterNote#NAMES}. */
  static final String TIMESTAMP = "hapax-timestamp";

  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

  private final Producer<K, V> producer;
  private final String topic;
  private final Duration timeout;

  private KafkaDeadLetterPublisher(Producer<K, V> producer, String topic, Duration timeout) {
    this.producer = producer;
    this.topic = topic;
    this.timeout = timeout;
  }

  /**
   * Connects to a topic that must exist. A publication waits up to 30 s for its acknowledgement.
   *
   * @param topic the dead-letter topic
   * @param producerProperties properties of the producer, with {@code bootstrap.servers} and
   *     serializers for key and value; {@code acks} is set to {@code all} and
   *     {@code enable.idempotence} to {@code true}
   * @param <K> the record's key
   * @param <V> the record's value
   * @return a publisher, to be closed by the caller
   * @throws IllegalArgumentException if a property breaks its rule, or the topic does not exist
   * @throws IllegalStateException if the brokers did not answer
   */
  public static <K, V> KafkaDeadLetterPublisher<K, V> to(
      String topic, Map<?, ?> producerProperties) {
    Map<String, Object> properties = durable(producerProperties);
    requireTopic(topic, properties);
    return new KafkaDeadLetterPublisher<>(new KafkaProducer<>(properties), topic, DEFAULT_TIMEOUT);
  }

  /** Properties of a producer that does not lose what it was given. */
  static Map<String, Object> durable(Map<?, ?> producerProperties) {
    Map<String, Object> properties = new HashMap<>();
    producerProperties.forEach((name, value) -> properties.put(String.valueOf(name), value));
    require(properties, ProducerConfig.ACKS_CONFIG, "all", List.of("all", "-1"));
    require(properties, ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true", List.of("true"));
    return properties;
  }

  private static void require(
      Map<String, Object> properties, String name, String value, List<String> accepted) {
    Object given = properties.getOrDefault(name, value);
    if (!accepted.contains(String.valueOf(given).trim())) {
      throw new IllegalArgumentException(name + " is " + given + " but must be " + value
          + ": a dead letter that the brokers lose is a lost message");
    }
    properties.put(name, value);
  }

  private static void requireTopic(String topic, Map<String, Object> properties) {
    Map<String, Object> forAdmin = new HashMap<>(properties);
    forAdmin.keySet().retainAll(AdminClientConfig.configNames());
    try (Admin admin = Admin.create(forAdmin)) {
      admin
          .describeTopics(List.of(topic))
          .allTopicNames()
          .get(DEFAULT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IllegalArgumentException(
          "dead-letter topic '" + topic + "' cannot be used: create it first", e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "no broker told within " + DEFAULT_TIMEOUT + " whether topic '" + topic + "' exists", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while looking for topic '" + topic + "'", e);
    }
  }

  @Override
  public void publish(DeadLetter<ConsumerRecord<K, V>> letter)
      throws ExecutionException, TimeoutException, InterruptedException {
    ConsumerRecord<K, V> record = letter.message();
    producer
        .send(new ProducerRecord<>(topic, null, record.key(), record.value(), headers(letter)))
        .get(timeout.toMillis(), TimeUnit.MILLISECONDS);
  }

  private Headers headers(DeadLetter<ConsumerRecord<K, V>> letter) {
    Headers headers = new RecordHeaders(letter.message().headers().toArray());
    DeadLetterNote.of(letter).toProperties().forEach((name, text) -> put(headers, name, text));
    put(headers, TIMESTAMP, Long.toString(letter.message().timestamp()));
    return headers;
  }

  private static void put(Headers headers, String name, String value) {
    headers.remove(name).add(name, value.getBytes(StandardCharsets.UTF_8));
  }

  /** Closes the producer. */
  @Override
  public void close() {
    producer.close(timeout);
  }
}
