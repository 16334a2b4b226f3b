package io.hapax.operations.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.CompositeId;
import io.hapax.DeadLetter;
import io.hapax.IdExtractor;
import io.hapax.kafka.KafkaFingerprints;
import io.hapax.kafka.KafkaIds;
import io.hapax.mark.MarkState;
import io.hapax.mark.Verdict;
import io.hapax.operations.OperationsFixture;
import io.hapax.operations.TestBroker.Sent;
import io.hapax.operations.audit.AuditSettings;
import io.hapax.operations.redrive.RedriveReport;
import io.hapax.operations.redrive.RedriveSettings;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.MetricsReporter;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Dead letters of Kafka: also large ones, those of Spring, and with any deserializer. */
class KafkaRedriveTest extends OperationsFixture {

  private static final KafkaTestBroker KAFKA = KafkaTestBroker.INSTANCE;

  private final String letters = KAFKA.topic(1);

  KafkaRedriveTest() {
    super(KAFKA);
  }

  private RedriveReport redrive(
      IdExtractor<ConsumerRecord<String, String>> ids, Deserializer<String> deserializer)
      throws Exception {
    KafkaOperations<String, String> operations = KafkaOperations.of(
        AuditSettings.of("orders", ids, KafkaFingerprints.value()),
        KAFKA.client(),
        deserializer,
        deserializer);
    return redrive(open(operations.redriver(store)), letters, RedriveSettings.to(topic));
  }

  @SuppressWarnings("NullAway") // a record may have no value
  private void buryAsSpring(String key, @Nullable String value) throws Exception {
    ProducerRecord<String, String> letter = new ProducerRecord<>(letters, 0, key, value);
    letter
        .headers()
        .add("kafka_dlt-original-topic", topic.getBytes(StandardCharsets.UTF_8))
        .add("kafka_dlt-original-partition", ByteBuffer.allocate(4).putInt(1).array())
        .add("kafka_dlt-original-offset", ByteBuffer.allocate(8).putLong(7).array());
    KAFKA.send(letter);
  }

  @Test
  void a_dead_letter_that_spring_published_returns_where_it_came_from() throws Exception {
    settle("poison", new Verdict.Dead("no such item"));
    buryAsSpring("poison", "body of poison");

    assertThat(redrive(redriver(), letters, RedriveSettings.to(topic)).published())
        .isEqualTo(1);
    assertThat(broker.read(topic, 1)).containsExactly(new Sent("poison"));
  }

  /** A plug-in of the clients that needs a property of its own, as one for TLS may. */
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

  @Test
  void all_clients_of_a_redrive_have_the_properties_of_their_plug_ins() throws Exception {
    settle("poison", new Verdict.Dead("no such item"));
    buryAsSpring("poison", "body of poison");
    KafkaOperations<String, String> operations = KAFKA.operations(
        Map.of("metric.reporters", Plugin.class.getName(), "plugin.secret", "given"));

    assertThat(redrive(open(operations.redriver(store)), letters, RedriveSettings.to(topic))
            .published())
        .isEqualTo(1);
  }

  @Test
  void a_record_of_a_missing_partition_is_refused_and_its_mark_is_kept() throws Exception {
    settle("poison", new Verdict.Dead("no such item"));
    broker.bury(letters, letter(new Sent("poison"), topic + "-7@0"), topic, Map.of());

    assertThat(answers(letters, RedriveSettings.to(topic)))
        .containsExactly("partition 7 of its topic " + topic + " does not exist any more");
    assertThat(mark("poison").state()).isEqualTo(MarkState.DEAD);
  }

  @Test
  void the_id_of_a_record_may_depend_on_its_original_topic() throws Exception {
    String id = topic + "/poison";
    settle(id, new Verdict.Dead("no such item"));
    var letter = letter(new Sent("poison"), first(0));
    broker.bury(
        letters,
        new DeadLetter<>(letter.message(), "orders", id, first(0), 3, letter.kind(), "", false),
        topic,
        Map.of());

    assertThat(redrive(
                record -> Optional.of(CompositeId.of(record.topic(), record.key())),
                new StringDeserializer())
            .published())
        .isEqualTo(1);
    assertThat(mark(id).state()).isEqualTo(MarkState.RETRY);
  }

  @Test
  void a_record_whose_id_is_looked_for_elsewhere_is_refused() throws Exception {
    bury(letters, new Sent("poison", "body", Map.of("tenant", "acme")), 0);

    assertThat(redrive(KafkaIds.header("tenant"), new StringDeserializer()).samples())
        .extracting(sample -> sample.answer().why().toString())
        .containsExactly("its id is acme here, but it died as poison");
    assertThat(broker.read(topic, 0)).isEmpty();
  }

  @Test
  void a_record_larger_than_a_producer_sends_by_itself_comes_back() throws Exception {
    for (String one : List.of(topic, letters)) {
      KAFKA.configure(one, "max.message.bytes", "4000000");
    }
    Sent large = new Sent("large", noise(2_000_000), Map.of());
    bury(letters, large, 0);

    assertThat(redrive(redriver(), letters, RedriveSettings.to(topic)).published())
        .isEqualTo(1);
    assertThat(broker.read(topic, 0).equals(List.of(large))).isTrue();
  }

  @Test
  void a_record_of_which_a_part_was_cut_off_is_refused() throws Exception {
    KAFKA.configure(letters, "max.message.bytes", "50000");
    bury(letters, new Sent("large", noise(200_000), Map.of()), 0);

    assertThat(answers(letters, RedriveSettings.to(topic)))
        .containsExactly("it holds only a part of its value, which has 200000 bytes");
    assertThat(mark("large").state()).isEqualTo(MarkState.DEAD);
  }

  /** Returns text that does not become much shorter by compression. */
  private static String noise(int length) {
    return new Random(17)
        .ints('0', 'z')
        .limit(length)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /** Decrypts in place, and removes a header as some deserializers do. */
  public static final class Decrypting implements Deserializer<String> {

    @Override
    public String deserialize(String ofTopic, byte[] data) {
      throw new AssertionError("the client has headers");
    }

    @Override
    public String deserialize(String ofTopic, Headers headers, byte[] data) {
      headers.remove("type");
      for (int i = 0; i < data.length; i++) {
        data[i] ^= 1;
      }
      return new String(data, StandardCharsets.UTF_8);
    }
  }

  @Test
  void a_redrive_publishes_what_was_received_whatever_the_deserializers_make_of_it()
      throws Exception {
    Sent encrypted = new Sent("`", "body", Map.of("type", "order")); // a, as it is decrypted
    settle("a", new Verdict.Dead("no such item"));
    var letter = letter(encrypted, first(0));
    broker.bury(
        letters,
        new DeadLetter<>(encrypted, "orders", "a", first(0), 3, letter.kind(), "", false),
        topic,
        Map.of());

    RedriveReport report = redrive(KafkaIds.key(), new Decrypting());

    assertThat(report.samples()).extracting(it -> it.record().name()).containsExactly("a");
    assertThat(report.published()).as(report.toText().toString()).isEqualTo(1);
    assertThat(broker.read(topic, 0)).containsExactly(encrypted);
  }

  /** The deserializer of this test fails for a missing value. */
  @Test
  void a_record_without_a_value_is_redriven_as_it_is() throws Exception {
    settle("a", new Verdict.Dead("no such item"));
    buryAsSpring("`", null); // a, as it is decrypted

    assertThat(redrive(KafkaIds.key(), new Decrypting()).published()).isEqualTo(1);
    assertThat(broker.read(topic, 1)).extracting(Sent::body).containsOnlyNulls();
  }
}
