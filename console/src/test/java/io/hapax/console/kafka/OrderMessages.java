package io.hapax.console.kafka;

import io.hapax.IdExtractor;
import io.hapax.kafka.KafkaFingerprints;
import io.hapax.kafka.KafkaIds;
import io.hapax.operations.Broker;
import io.hapax.operations.audit.AuditSettings;
import io.hapax.operations.kafka.KafkaOperations;
import io.hapax.servers.LocalKafka;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** How the tests write and read orders on the local Kafka. */
public final class OrderMessages {

  private static final int SAMPLES = 20;

  /** Where the messages have their ids. */
  public static final String ID = "order-id";

  public static final IdExtractor<ConsumerRecord<byte[], byte[]>> IDS = KafkaIds.header(ID);

  private OrderMessages() {}

  public static Broker broker(LocalKafka kafka, String consumer) {
    return broker(kafka, consumer, IDS);
  }

  static Broker broker(
      LocalKafka kafka, String consumer, IdExtractor<ConsumerRecord<byte[], byte[]>> ids) {
    return broker(Map.of("bootstrap.servers", kafka.bootstrapServers()), consumer, ids);
  }

  /** Returns a broker at a port of this machine at which none answers. */
  public static Broker silent(int port, String consumer, Duration patience) {
    String millis = Long.toString(patience.toMillis());
    return broker(
            Map.of(
                "bootstrap.servers", "localhost:" + port,
                "request.timeout.ms", millis,
                "default.api.timeout.ms", millis),
            consumer,
            IDS)
        .withPatience(patience);
  }

  private static KafkaOperations<byte[], byte[]> broker(
      Map<String, String> client,
      String consumer,
      IdExtractor<ConsumerRecord<byte[], byte[]>> ids) {
    return KafkaOperations.of(
        AuditSettings.of(consumer, ids, KafkaFingerprints.<byte[], byte[]>value())
            .withSamples(SAMPLES),
        client,
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }

  /** Returns a message of a topic. */
  public static ProducerRecord<byte[], byte[]> message(String topic, String id, String payload) {
    ProducerRecord<byte[], byte[]> message =
        new ProducerRecord<>(topic, payload.getBytes(StandardCharsets.UTF_8));
    message.headers().add(ID, id.getBytes(StandardCharsets.UTF_8));
    return message;
  }

  /** Returns the properties of a consumer that reads bytes. */
  public static Map<String, Object> reading(LocalKafka kafka, String group) {
    return Map.of(
        "bootstrap.servers",
        kafka.bootstrapServers(),
        "group.id",
        group,
        "key.deserializer",
        ByteArrayDeserializer.class,
        "value.deserializer",
        ByteArrayDeserializer.class);
  }

  /** Returns the properties of a producer that writes bytes. */
  public static Map<String, Object> writing(LocalKafka kafka) {
    return Map.of(
        "bootstrap.servers", kafka.bootstrapServers(),
        "key.serializer", ByteArraySerializer.class,
        "value.serializer", ByteArraySerializer.class);
  }
}
