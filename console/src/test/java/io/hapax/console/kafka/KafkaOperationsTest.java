package io.hapax.console.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.console.Marks;
import io.hapax.kafka.KafkaFingerprints;
import io.hapax.kafka.KafkaIds;
import io.hapax.operations.Broker;
import io.hapax.operations.audit.AuditSettings;
import io.hapax.operations.kafka.KafkaOperations;
import io.hapax.operations.redrive.DeadLetterSelection;
import io.hapax.operations.redrive.RedriveSettings;
import io.hapax.operations.redrive.Redriver;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import io.hapax.store.InMemoryDedupStore;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KafkaOperationsTest {

  private static final String TYPE = "type";

  private final InMemoryDedupStore store = new InMemoryDedupStore();
  private final OrderTopics topics = new OrderTopics(Marks.CONSUMER);

  /** Does what deserializers of JSON do: removes its header, and cannot read null. */
  public static final class TypedDeserializer implements Deserializer<String> {
    @Override
    public String deserialize(String topic, byte[] data) {
      return new String(data, UTF_8);
    }

    @Override
    public String deserialize(String topic, Headers headers, byte[] data) {
      headers.remove(TYPE);
      return deserialize(topic, data);
    }
  }

  private static Broker broker() {
    return KafkaOperations.of(
        AuditSettings.of(
            Marks.CONSUMER,
            KafkaIds.header(OrderMessages.ID),
            KafkaFingerprints.<byte[], String>value()),
        Map.of("bootstrap.servers", OrderTopics.KAFKA.bootstrapServers()),
        new ByteArrayDeserializer(),
        new TypedDeserializer());
  }

  private ConsumerRecord<byte[], byte[]> redriven(byte @Nullable [] value) throws Exception {
    topics.deadLetter(topics.publish("a", value, Map.of(TYPE, "order")), "shop.NoPrice");
    Marks.dead(store, "a", "shop.NoPrice");
    try (Redriver redriver = broker().redriver(store)) {
      redriver.redrive(
          TopicPart.all(topics.letters()),
          StartingPoint.beginning(),
          DeadLetterSelection.all(),
          RedriveSettings.to(topics.orders()));
    }
    assertThat(topics.ids()).containsExactly("a", "a");
    return topics.read().get(1);
  }

  @Test
  void a_redriven_record_keeps_the_headers_that_its_deserializer_removes() throws Exception {
    ConsumerRecord<byte[], byte[]> again = redriven("{}".getBytes(UTF_8));
    assertThat(Objects.requireNonNull(again.headers().lastHeader(TYPE)).value())
        .asString(UTF_8)
        .isEqualTo("order");
  }

  @Test
  void a_record_without_a_value_is_redriven_as_it_is() throws Exception {
    assertThat(redriven(null).value()).isNull();
  }
}
