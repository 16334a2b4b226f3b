package io.hapax.kafka;

import io.hapax.IdExtractor;
import io.hapax.errors.AuditFailedException;
import io.hapax.kafka.internal.BrokerView;
import io.hapax.mark.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.Uuid;

/**
 * Makes an id of the place of a record: the id of its topic, its partition and its offset. The
 * broker gives a topic that is created again another id.
 */
record TopicCoordinates<K, V>(Map<String, Uuid> topicIds)
    implements IdExtractor<ConsumerRecord<K, V>> {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** No text contains this byte, so that the id is no other message's business id. */
  private static final byte NO_TEXT = (byte) 0xFF;

  static <K, V> TopicCoordinates<K, V> of(
      Map<String, Object> properties, Collection<String> topics) {
    Map<String, Uuid> ids = new HashMap<>();
    try (BrokerView brokers = BrokerView.open(properties, TIMEOUT)) {
      for (String topic : topics) {
        ids.put(
            topic,
            brokers
                .topic(topic)
                .map(TopicDescription::topicId)
                .filter(it -> !it.equals(Uuid.ZERO_UUID))
                .orElseThrow(() -> new IllegalArgumentException(
                    "topics holds '" + topic + "' but the brokers know no id of such a topic")));
      }
    } catch (AuditFailedException e) {
      throw new IllegalStateException("could not read the ids of " + topics + ": " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while reading the ids of " + topics, e);
    }
    return new TopicCoordinates<>(Map.copyOf(ids));
  }

  @Override
  public Optional<Bytes> idOf(ConsumerRecord<K, V> record) {
    Uuid topic = topicIds.get(record.topic());
    if (topic == null) {
      throw new IllegalArgumentException("topics of KafkaIds.coordinates must hold '"
          + record.topic() + "', which is read, but holds " + topicIds.keySet());
    }
    byte[] place =
        (topic + "-" + record.partition() + "@" + record.offset()).getBytes(StandardCharsets.UTF_8);
    return Optional.of(
        Bytes.of(ByteBuffer.allocate(1 + place.length).put(NO_TEXT).put(place).array()));
  }
}
