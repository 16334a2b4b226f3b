package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.errors.RejectedMessageException;
import io.hapax.spring.Idempotent;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.MetricsReporter;
import org.apache.kafka.common.serialization.Deserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.support.serializer.JsonDeserializer;

/**
 * A dead letter has the bytes of its record, whatever the listener's deserializer makes of them.
 */
@Timeout(60)
class DeadLetteredBytesTest {

  private static final byte[] KEY = {'i', (byte) 0xE9, (byte) 0xFF};
  private static final byte[] VALUE = {'o', (byte) 0xE9, (byte) 0xC0, 1};

  private final String topic = Broker.topic(1);

  /** What a listener takes. */
  public record Order(String id) {}

  @KafkaApplication
  static class Rejecting {

    @KafkaListener(topics = "${orders}", groupId = "billing")
    @Idempotent(id = "header:order-id")
    void on(ConsumerRecord<Object, Object> order) {
      if (order.value() instanceof byte[] bytes) {
        Arrays.fill(bytes, (byte) 0); // a listener may keep secrets out of memory
      }
      throw new RejectedMessageException("cannot be billed");
    }
  }

  /** Decrypts in place and returns a text; Kafka makes it by its name. */
  public static final class DecryptedText implements Deserializer<String> {

    @Override
    public String deserialize(String topic, byte[] data) {
      return new String(decrypted(data), StandardCharsets.ISO_8859_1);
    }
  }

  /** Decrypts in place and returns bytes. */
  public static final class DecryptedBytes implements Deserializer<byte[]> {

    @Override
    public byte[] deserialize(String topic, byte[] data) {
      return decrypted(data);
    }
  }

  /** Returns nothing for bytes that are something. */
  public static final class Nothing implements Deserializer<Object> {

    @Override
    @SuppressWarnings("NullAway") // deserializers may return null
    public Object deserialize(String topic, byte[] data) {
      return null;
    }
  }

  /** A plug-in of the clients that needs a property of its own, as Boot's for TLS does. */
  public static final class Plugin implements MetricsReporter {

    @Override
    public void configure(Map<String, ?> properties) {
      if (!properties.containsKey("plugin.secret")) {
        throw new IllegalStateException("plugin.secret is missing");
      }
    }

    @Override
    public void init(List<KafkaMetric> metrics) {}

    @Override
    public void metricChange(KafkaMetric metric) {}

    @Override
    public void metricRemoval(KafkaMetric metric) {}

    @Override
    public void close() {}
  }

  /** Expects the keys that the application sends. */
  public static final class OfTexts implements Partitioner {

    @Override
    public int partition(
        String topic, Object key, byte[] bytes, Object value, byte[] content, Cluster cluster) {
      return ((String) key).length() % cluster.partitionCountForTopic(topic);
    }

    @Override
    public void configure(Map<String, ?> properties) {}

    @Override
    public void close() {}
  }

  private static byte[] decrypted(byte[] data) {
    for (int i = 0; i < data.length; i++) {
      data[i] ^= 17;
    }
    return data;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "io.hapax.spring.kafka.DeadLetteredBytesTest$DecryptedText",
        "io.hapax.spring.kafka.DeadLetteredBytesTest$DecryptedBytes",
        "io.hapax.spring.kafka.DeadLetteredBytesTest$Nothing",
        "org.apache.kafka.common.serialization.ByteArrayDeserializer",
        "org.apache.kafka.common.serialization.StringDeserializer"
      })
  void a_dead_letter_has_the_received_key_and_value(String deserializer) {
    assertReceived(
        "spring.kafka.consumer.value-deserializer=" + deserializer,
        "spring.kafka.consumer.key-deserializer=" + deserializer);
  }

  @Test
  void a_dead_letter_of_a_latin_text_is_no_utf_8() {
    assertReceived(
        "spring.kafka.consumer.properties.key.deserializer.encoding=ISO-8859-1",
        "spring.kafka.consumer.properties.value.deserializer.encoding=ISO-8859-1");
  }

  private void assertReceived(String... properties) {
    ConsumerRecord<byte[], byte[]> letter = deadLetter(KEY, VALUE, new RecordHeader[0], properties);

    assertThat(letter.key()).isEqualTo(KEY);
    assertThat(letter.value()).isEqualTo(VALUE);
    assertThat(letter.headers()).noneMatch(header -> header.key().startsWith("hapax-kept"));
  }

  @Test
  void a_dead_letter_has_the_headers_that_a_deserializer_removes() {
    byte[] json = "{\"id\":\"a\"}".getBytes(StandardCharsets.UTF_8);
    byte[] type = Order.class.getName().getBytes(StandardCharsets.UTF_8);

    ConsumerRecord<byte[], byte[]> letter = deadLetter(
        KEY,
        json,
        new Header[] {new RecordHeader("__TypeId__", type)},
        "spring.kafka.consumer.value-deserializer=" + JsonDeserializer.class.getName(),
        "spring.kafka.consumer.properties.spring.json.trusted.packages=*");

    assertThat(letter.value()).isEqualTo(json);
    assertThat(letter.headers().lastHeader("__TypeId__").value()).isEqualTo(type);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "producer.retries=0",
        "producer.properties.max.in.flight.requests.per.connection=10",
        "producer.properties.partitioner.class=io.hapax.spring.kafka.DeadLetteredBytesTest$OfTexts",
        "properties.metric.reporters=io.hapax.spring.kafka.DeadLetteredBytesTest$Plugin"
      })
  void dead_letters_are_published_whatever_the_application_sets_for_its_producers(String setting) {
    assertReceived("spring.kafka." + setting, "spring.kafka.properties.plugin.secret=given");
  }

  private ConsumerRecord<byte[], byte[]> deadLetter(
      byte[] key, byte[] value, Header[] headers, String... properties) {
    Broker.createTopic(topic + "-dlt");
    Header[] all = Arrays.copyOf(headers, headers.length + 1);
    all[headers.length] = new RecordHeader("order-id", "a".getBytes(StandardCharsets.UTF_8));
    Broker.send(topic, key, value, all);
    String[] settings = Arrays.copyOf(properties, properties.length + 1);
    settings[properties.length] = "hapax.dead-letters={topic}-dlt";
    Broker.handle(Rejecting.class, topic, 1, settings);
    return Broker.readBytes(topic + "-dlt");
  }
}
