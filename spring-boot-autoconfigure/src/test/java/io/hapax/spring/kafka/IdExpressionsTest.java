package io.hapax.spring.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.hapax.IdExtractor;
import io.hapax.ReceiverBuilder;
import io.hapax.kafka.KafkaIds;
import io.hapax.mark.Bytes;
import io.hapax.spring.Idempotent;
import io.hapax.spring.listener.ReceiverCustomizer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;

/** What expressions and extractors of the application may return as an id or a fingerprint. */
@Timeout(60)
class IdExpressionsTest {

  private static final String BYTES = "org.apache.kafka.common.serialization.ByteArrayDeserializer";
  private static final List<String> KINDS = List.of(
      "header",
      "key",
      "buffer",
      "text",
      "bean",
      "object",
      "joined",
      "parts",
      "sum",
      "value",
      "type",
      "event",
      "fields",
      "mirrored");
  private static final byte[] BINARY = {(byte) 0xff, 0, (byte) 0xfe};
  private static final byte[] NONE = {};
  private static final List<String> EFFECTS = new CopyOnWriteArrayList<>();

  private static String prefix = "";
  private static ConfigurableApplicationContext app;
  private static KafkaProducer<byte[], byte[]> producer;

  /** A value without a text. */
  public static final class Envelope {

    private final String number;

    Envelope(String number) {
      this.number = number;
    }

    public String getNumber() {
      return number;
    }
  }

  /** Reads envelopes. */
  public static final class EnvelopeDeserializer implements Deserializer<Envelope> {

    @Override
    public Envelope deserialize(String topic, byte[] data) {
      return new Envelope(new String(data, UTF_8));
    }
  }

  @KafkaApplication
  static class Listeners {

    @Bean
    IdExtractor<ConsumerRecord<Object, Object>> keys() {
      return record -> Optional.of(Bytes.utf8((String) record.key()));
    }

    @Bean
    ReceiverCustomizer mirrors() {
      return (settings, builder) -> {
        if (settings.consumer().equals("mirrored")) {
          withoutCluster(builder);
        }
      };
    }

    @SuppressWarnings("unchecked") // a listener of Kafka
    private static void withoutCluster(ReceiverBuilder<?> builder) {
      ((ReceiverBuilder<ConsumerRecord<Object, Object>>) builder)
          .id(IdExtractor.within(
              record -> record.topic().replaceFirst("^A\\.", ""), KafkaIds.header("order-id")));
    }

    @KafkaListener(
        topics = {"${orders}-mirrored", "A.${orders}-mirrored"},
        groupId = "billing")
    @Idempotent(id = "header:order-id", consumer = "mirrored")
    void mirrored(String order) {
      EFFECTS.add(order);
    }

    @KafkaListener(topics = "${orders}-header", groupId = "billing")
    @Idempotent(id = "#{headers['order-id']}")
    void header(String order) {
      EFFECTS.add(order);
    }

    @KafkaListener(
        topics = "${orders}-key",
        groupId = "billing",
        properties = "key.deserializer=" + BYTES)
    @Idempotent(id = "#{key}")
    void key(String order) {
      EFFECTS.add(order);
    }

    @KafkaListener(
        topics = "${orders}-buffer",
        groupId = "billing",
        properties =
            "value.deserializer=org.apache.kafka.common.serialization.ByteBufferDeserializer")
    @Idempotent(id = "#{payload}")
    void buffer(ByteBuffer order) {
      EFFECTS.add(UTF_8.decode(order).toString());
    }

    @KafkaListener(topics = "${orders}-text", groupId = "billing")
    @Idempotent(id = "#{key}")
    void text(String order) {
      EFFECTS.add(order);
    }

    @KafkaListener(topics = "${orders}-bean", groupId = "billing")
    @Idempotent(id = "bean:keys")
    void bean(String order) {
      EFFECTS.add(order);
    }

    @KafkaListener(
        topics = "${orders}-object",
        groupId = "billing",
        properties =
            "value.deserializer=io.hapax.spring.kafka.IdExpressionsTest$EnvelopeDeserializer")
    @Idempotent(id = "#{payload}")
    void object(Envelope order) {
      EFFECTS.add(order.getNumber());
    }

    @KafkaListener(
        topics = "${orders}-joined",
        groupId = "billing",
        properties =
            "value.deserializer=io.hapax.spring.kafka.IdExpressionsTest$EnvelopeDeserializer")
    @Idempotent(id = "#{'order-' + payload}")
    void joined(Envelope order) {
      EFFECTS.add(order.getNumber());
    }

    @KafkaListener(topics = "${orders}-parts", groupId = "billing")
    @Idempotent(id = "#{headers['tenant'].concat(':').concat(key)}")
    void parts(String order) {
      EFFECTS.add(order);
    }

    @KafkaListener(topics = "${orders}-sum", groupId = "billing")
    @Idempotent(id = "key", fingerprint = "#{headers['sum']}")
    void sum(String order) {
      EFFECTS.add(order);
    }

    @KafkaListener(topics = "${orders}-fields", groupId = "billing")
    @Idempotent(id = "#{payload.orderId}")
    void fields(String order) {
      EFFECTS.add(order);
    }

    @KafkaListener(topics = "${orders}-event", groupId = "billing")
    @Idempotent(id = "cloudevents", fingerprint = "none")
    void event(String order) {
      EFFECTS.add(order);
    }

    @KafkaListener(topics = "${orders}-type", groupId = "billing")
    @Idempotent(id = "key", fingerprint = "value,header:type")
    void type(String order) {
      EFFECTS.add(order);
    }

    @KafkaListener(
        topics = "${orders}-value",
        groupId = "billing",
        properties =
            "value.deserializer=io.hapax.spring.kafka.IdExpressionsTest$EnvelopeDeserializer")
    @Idempotent(id = "key", fingerprint = "#{payload}")
    void value(Envelope order) {
      EFFECTS.add(order.getNumber());
    }
  }

  @BeforeAll
  static void start() {
    prefix = Broker.topic(1);
    KINDS.forEach(kind ->
        Stream.of("", "-dlt").forEach(suffix -> Broker.createTopic(prefix + "-" + kind + suffix)));
    producer = new KafkaProducer<>(
        Map.of("bootstrap.servers", Broker.servers(), "linger.ms", "0"),
        new ByteArraySerializer(),
        new ByteArraySerializer());
    Broker.createTopic("A." + topic("mirrored"));
    Broker.createTopic("A." + topic("mirrored") + "-dlt");
    app = Broker.start(Listeners.class, prefix, "hapax.dead-letters={topic}-dlt");
  }

  @AfterAll
  static void stop() {
    producer.close();
    app.close();
  }

  @BeforeEach
  void forget() {
    EFFECTS.clear();
  }

  @Test
  void a_binary_header_is_the_id_by_its_bytes() {
    send("header", NONE, "a", Map.of("order-id", BINARY));
    send("header", NONE, "a", Map.of("order-id", BINARY));
    send("header", NONE, "b", Map.of("order-id", new byte[] {(byte) 0xff}));

    awaitRead("header");
    assertThat(EFFECTS).containsExactly("a", "b");
  }

  @Test
  void a_key_of_bytes_is_the_id_by_its_bytes() {
    send("key", BINARY, "a", Map.of());
    send("key", BINARY, "a", Map.of());

    awaitRead("key");
    assertThat(EFFECTS).containsExactly("a");
  }

  @Test
  void different_buffers_are_different_ids_and_the_listener_can_read_them() {
    List.of("one", "two", "six", "one").forEach(value -> send("buffer", NONE, value, Map.of()));

    awaitRead("buffer");
    assertThat(EFFECTS).containsExactly("one", "two", "six");
  }

  @Test
  void texts_that_were_decoded_from_invalid_bytes_are_no_ids() {
    for (int key : new int[] {0xff, 0xfe, 0xc0}) {
      send("text", new byte[] {(byte) key}, "the same", Map.of());
      send("bean", new byte[] {(byte) key}, "the same", Map.of());
    }

    awaitRead("text");
    awaitRead("bean");
    assertThat(EFFECTS).isEmpty();
    assertThat(Broker.end(topic("text") + "-dlt", 0)).isEqualTo(3);
    assertThat(Broker.end(topic("bean") + "-dlt", 0)).isEqualTo(3);
  }

  @Test
  void a_value_without_a_stable_text_is_no_id_alone_or_within_a_text() {
    for (String kind : List.of("object", "joined")) {
      send(kind, NONE, "17", Map.of());
      send(kind, NONE, "17", Map.of());
      awaitRead(kind);
      assertThat(Broker.end(topic(kind) + "-dlt", 0)).as(kind).isEqualTo(2);
    }

    assertThat(EFFECTS).isEmpty();
  }

  @Test
  void a_field_of_a_payload_that_is_a_text_is_no_id_and_the_log_names_json() {
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    Logger reader = (Logger) LoggerFactory.getLogger("io.hapax.internal.message.MessageReader");
    log.start();
    reader.addAppender(log);
    try {
      send("fields", NONE, "{\"orderId\":17}", Map.of());
      awaitRead("fields");
    } finally {
      reader.detachAppender(log);
    }

    assertThat(EFFECTS).isEmpty();
    assertThat(List.copyOf(log.list))
        .anySatisfy(line -> assertThat(line.getThrowableProxy().getMessage())
            .contains("the payload is a java.lang.String", "json:/orderId"));
  }

  @Test
  void an_id_of_two_parts_is_missing_if_one_part_is() {
    send("parts", "17".getBytes(UTF_8), "a", Map.of("tenant", "north".getBytes(UTF_8)));
    send("parts", "17".getBytes(UTF_8), "b", Map.of("tenant", "south".getBytes(UTF_8)));
    send("parts", "17".getBytes(UTF_8), "a", Map.of("tenant", "north".getBytes(UTF_8)));
    send("parts", "17".getBytes(UTF_8), "c", Map.of());

    awaitRead("parts");
    assertThat(EFFECTS).containsExactly("a", "b");
    assertThat(Broker.end(topic("parts") + "-dlt", 0)).isOne();
  }

  @Test
  void a_cloud_event_has_one_id_in_both_modes_and_an_unrelated_header_is_none() {
    Map<String, byte[]> binary =
        Map.of("ce_source", "/shop/1".getBytes(UTF_8), "ce_id", "17".getBytes(UTF_8));
    Map<String, byte[]> structured = Map.of(
        "content-type",
        "application/cloudevents+json; charset=UTF-8".getBytes(UTF_8),
        "id",
        "unrelated".getBytes(UTF_8));
    send("event", NONE, "{\"source\":\"/shop/1\",\"id\":\"16\"}", structured);
    send("event", NONE, "{\"source\":\"/shop/1\",\"id\":\"17\"}", structured);
    send("event", NONE, "in binary mode", binary);
    send(
        "event",
        NONE,
        "no event",
        Map.of("source", "/shop/1".getBytes(UTF_8), "id", "18".getBytes(UTF_8)));

    awaitRead("event");
    assertThat(EFFECTS)
        .containsExactly(
            "{\"source\":\"/shop/1\",\"id\":\"16\"}", "{\"source\":\"/shop/1\",\"id\":\"17\"}");
    assertThat(Broker.end(topic("event") + "-dlt", 0)).isOne();
  }

  @Test
  void an_event_of_a_topic_and_of_its_mirror_takes_effect_once() {
    Map<String, byte[]> id = Map.of("order-id", "17".getBytes(UTF_8));
    send("mirrored", NONE, "a", id);
    awaitRead("mirrored");
    ProducerRecord<byte[], byte[]> copy =
        new ProducerRecord<>("A." + topic("mirrored"), NONE, "a".getBytes(UTF_8));
    id.forEach(copy.headers()::add);
    var unused = producer.send(copy);
    producer.flush();

    await().until(() -> Broker.committed("billing", copy.topic(), 0) == 1);
    assertThat(EFFECTS).containsExactly("a");
  }

  @Test
  void bytes_are_a_fingerprint_by_their_content() {
    send("sum", "17".getBytes(UTF_8), "a", Map.of("sum", BINARY));
    send("sum", "17".getBytes(UTF_8), "a again", Map.of("sum", BINARY));
    send("sum", "17".getBytes(UTF_8), "b", Map.of("sum", new byte[] {(byte) 0xff}));

    awaitRead("sum");
    assertThat(EFFECTS).containsExactly("a");
    assertThat(Broker.end(topic("sum") + "-dlt", 0)).isOne(); // the conflict
  }

  @Test
  void a_header_is_part_of_the_fingerprint_if_it_is_named() {
    send("type", "17".getBytes(UTF_8), "a", Map.of("type", BINARY, "trace", new byte[] {1}));
    send("type", "17".getBytes(UTF_8), "a", Map.of("type", BINARY, "trace", new byte[] {2}));
    send("type", "17".getBytes(UTF_8), "a", Map.of("type", new byte[] {1}));

    awaitRead("type");
    assertThat(EFFECTS).containsExactly("a");
    assertThat(Broker.end(topic("type") + "-dlt", 0)).isOne(); // the conflict
  }

  @Test
  void a_value_without_a_stable_text_is_no_fingerprint() {
    send("value", "17".getBytes(UTF_8), "a", Map.of());

    awaitRead("value");
    assertThat(EFFECTS).isEmpty();
    assertThat(Broker.read(topic("value") + "-dlt", letter -> true).value()).isEqualTo("a");
  }

  private static String topic(String kind) {
    return prefix + "-" + kind;
  }

  private static void send(String kind, byte[] key, String value, Map<String, byte[]> headers) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(topic(kind), key, value.getBytes(UTF_8));
    headers.forEach(record.headers()::add);
    var unused = producer.send(record);
    producer.flush();
  }

  private static void awaitRead(String kind) {
    await().until(() -> Broker.committed("billing", topic(kind), 0) == Broker.end(topic(kind), 0));
  }
}
