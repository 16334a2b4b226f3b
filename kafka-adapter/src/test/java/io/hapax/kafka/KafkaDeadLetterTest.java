package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.hapax.DeadLetter;
import io.hapax.IdempotentReceiver;
import io.hapax.RetrySettings;
import io.hapax.errors.AuditFailedException;
import io.hapax.errors.RejectedMessageException;
import io.hapax.kafka.internal.BrokerView;
import io.hapax.kafka.internal.DeadLetterRecord;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a dead letter carries on a real broker, and what a message waits for whose letter it
 * refuses.
 */
@Timeout(120)
class KafkaDeadLetterTest extends WithReceivers {

  private static final String LIMIT = "max.message.bytes";

  /** Long enough for a lane that waits to be named all the time: that is for three pauses. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final String topic = Broker.topic(1);

  private KafkaDeadLetterPublisher<String, String> publisherTo(String graveyard) {
    return open(KafkaDeadLetterPublisher.to(graveyard, Broker.producer()));
  }

  /** Dead-letters what is called poison, and what has no id. */
  private IdempotentReceiver<ConsumerRecord<String, String>> burying(String graveyard) {
    return open(builder()
        .retry(new RetrySettings(3, PAUSE, PAUSE))
        .deadLetters(publisherTo(graveyard))
        .leased(store, delivery -> {
          if (delivery.message().value().equals("poison")) {
            throw new RejectedMessageException("no such article");
          }
          record(delivery);
        }));
  }

  /** A topic for which the broker takes no record, however small. */
  private static String closedTopic() throws Exception {
    return Broker.topic(Map.of(LIMIT, "1"));
  }

  private static void reopen(String closed) throws Exception {
    Broker.configure(closed, Map.of(LIMIT, "1000000"));
  }

  private static void awaitRefusal(KafkaReceiver<?, ?> reading, String coordinates) {
    await()
        .untilAsserted(() -> assertThat(reading.problems().toString())
            .contains(coordinates, "RecordTooLargeException"));
  }

  private Optional<MarkState> state(String id) {
    return store.find(List.of(MessageKey.of("orders", id))).get(0).map(Mark::state);
  }

  @Test
  @DisplayName("Invariant 1: a mark is DEAD only after the broker acknowledged the record")
  void a_refused_dead_letter_settles_and_commits_nothing() throws Exception {
    String graveyard = closedTopic();
    IdempotentReceiver<ConsumerRecord<String, String>> receiver = burying(graveyard);
    Broker.send(topic, 0, "a", "poison", "c");
    KafkaReceiver<String, String> reading = start(topic, receiver);

    awaitRefusal(reading, topic + "-0@1");
    assertThat(receiver.health().well()).isFalse();
    assertThat(state("poison")).isPresent().get().isIn(MarkState.PROCESSING, MarkState.RETRY);
    awaitCommitted(topic, 1);
    assertThat(effects).containsExactly("a");
    assertThat(Broker.read(graveyard)).isEmpty();

    reopen(graveyard);

    awaitCommitted(topic, 3);
    assertThat(state("poison")).contains(MarkState.DEAD);
    assertThat(effects).containsExactly("a", "c");
    assertThat(Broker.read(graveyard)).extracting(ConsumerRecord::value).containsExactly("poison");
    await().until(() -> reading.problems().isEmpty());
    assertThat(receiver.health().well()).isTrue();
  }

  @Test
  @DisplayName("Invariant 1: a record without an id is committed after its dead letter is taken")
  void a_record_without_id_whose_dead_letter_is_refused_is_not_committed() throws Exception {
    String graveyard = closedTopic();
    Broker.sendWithoutKey(topic, "nameless");
    KafkaReceiver<String, String> reading = start(topic, burying(graveyard));

    awaitRefusal(reading, topic + "-0@0");
    assertThat(Broker.committed(group, topic, 0)).isLessThanOrEqualTo(0);

    reopen(graveyard);

    awaitCommitted(topic, 1);
    assertThat(Broker.read(graveyard))
        .extracting(ConsumerRecord::value)
        .containsExactly("nameless");
  }

  /** Of two dead letters with the same key the brokers would remove the first. */
  @ParameterizedTest
  @ValueSource(strings = {"compact", "compact,delete"})
  void a_compacted_dead_letter_topic_is_refused(String policy) throws Exception {
    String graveyard = Broker.topic(Map.of("cleanup.policy", policy));

    assertThatThrownBy(() -> publisherTo(graveyard))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("dead-letter topic '" + graveyard + "' has cleanup.policy " + policy
            + " but must have delete: the brokers would remove a dead letter once another one has"
            + " its key");
  }

  @Test
  void a_dead_letter_topic_with_unknown_settings_is_not_used() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        BrokerView brokers = BrokerView.open(
            Map.of("bootstrap.servers", "127.0.0.1:" + silent.getLocalPort()),
            Duration.ofMillis(500))) {
      assertThatThrownBy(() -> DeadLetterTargets.refuseCompacted("orders-dlt", brokers))
          .isInstanceOf(AuditFailedException.class)
          .hasMessageContaining("have not answered");
    }
  }

  @Test
  void a_record_is_not_dead_lettered_to_the_topic_that_it_came_from() throws Exception {
    Broker.sendWithoutKey(topic, "nameless");
    KafkaReceiver<String, String> reading = start(topic, burying(topic));

    await()
        .untilAsserted(() -> assertThat(reading.problems().toString())
            .contains(topic + "-0@0", "must be another topic"));
    assertThat(Broker.end(topic, 0)).isEqualTo(1);
    assertThat(Broker.committed(group, topic, 0)).isLessThanOrEqualTo(0);
  }

  @ParameterizedTest
  @CsvSource({"request.timeout.ms, 60000", "default.api.timeout.ms, 5000"})
  void a_time_out_of_the_clients_does_not_keep_the_publisher_from_opening(
      String name, String millis) {
    Map<String, Object> properties = Broker.producer(Map.of(name, millis));

    assertThatCode(() -> open(KafkaDeadLetterPublisher.to(topic, properties)))
        .doesNotThrowAnyException();
  }

  @Test
  void a_record_that_fits_only_compressed_is_dead_lettered_whole() throws Exception {
    String graveyard = Broker.topic(1);
    String large = "x".repeat(5_000_000);
    Broker.sendCompressed(new ProducerRecord<>(topic, large));
    Broker.send(topic, 0, "next");

    start(topic, burying(graveyard));

    awaitCommitted(topic, 2);
    assertThat(effects).containsExactly("next");
    ConsumerRecord<String, String> letter = Broker.read(graveyard).get(0);
    assertThat(letter.value().equals(large)).as("it holds the whole value").isTrue();
    assertThat(letter.headers().lastHeader("hapax-body-bytes")).isNull();
  }

  @Test
  void a_record_that_is_too_large_compressed_is_dead_lettered_as_a_head() throws Exception {
    String graveyard = smallTopic();
    String noise = Broker.noise(200_000);
    Broker.sendWithoutKey(topic, noise);
    Broker.send(topic, 0, "next");

    start(topic, burying(graveyard));

    awaitCommitted(topic, 2);
    assertThat(effects).containsExactly("next");
    ConsumerRecord<String, String> letter = Broker.read(graveyard).get(0);
    assertThat(letter.value()).isEqualTo(noise.substring(0, 4_096));
    assertThat(header(letter, "hapax-body-bytes")).isEqualTo("200000");
    assertThat(header(letter, "hapax-kind")).isEqualTo("MISSING_ID");
    assertThat(header(letter, "hapax-coordinates")).isEqualTo(topic + "-0@0");
  }

  @Test
  void a_dead_letter_names_the_large_key_and_headers_that_it_leaves_out() throws Exception {
    String graveyard = smallTopic();
    RecordHeaders headers = new RecordHeaders();
    headers.add("trace", Broker.noise(100_000).getBytes(StandardCharsets.UTF_8));
    headers.add("tenant", "acme".getBytes(StandardCharsets.UTF_8));
    ConsumerRecord<String, String> dead = record(Broker.noise(60_000), "body", headers);

    publisherTo(graveyard).publish(letter(dead));

    ConsumerRecord<String, String> letter = Broker.read(graveyard).get(0);
    assertThat(letter.key()).isNull();
    assertThat(header(letter, "hapax-key-bytes")).isEqualTo("60000");
    assertThat(header(letter, "hapax-left-out")).isEqualTo("trace");
    assertThat(header(letter, "tenant")).isEqualTo("acme");
    assertThat(letter.value()).isEqualTo("body");
  }

  @Test
  void what_was_cut_off_at_a_first_death_is_named_at_the_second() throws Exception {
    String first = smallTopic();
    String second = Broker.topic(1);
    publisherTo(first).publish(letter(record("17", Broker.noise(200_000), new RecordHeaders())));

    publisherTo(second).publish(letter(Broker.read(first).get(0)));

    assertThat(header(Broker.read(second).get(0), "hapax-body-bytes")).isEqualTo("200000");
  }

  /** A topic for which the broker takes records up to 50,000 bytes, as they are compressed. */
  private static String smallTopic() throws Exception {
    return Broker.topic(Map.of(LIMIT, "50000"));
  }

  private static <K, V> DeadLetter<ConsumerRecord<K, V>> letter(ConsumerRecord<K, V> dead) {
    return new DeadLetter<>(
        dead, "orders", "17", "orders-0@7", 3, DeadLetter.Kind.ATTEMPTS_EXHAUSTED, "", false);
  }

  @Test
  void a_dead_letter_carries_the_record_its_headers_and_its_failure() throws Exception {
    String graveyard = Broker.topic(1);

    publisherTo(graveyard)
        .publish(new DeadLetter<>(
            diedBefore(),
            "orders",
            "17",
            topic + "-0@7",
            3,
            DeadLetter.Kind.ATTEMPTS_EXHAUSTED,
            "java.lang.IllegalStateException: no stock",
            true));

    ConsumerRecord<String, String> letter = Broker.read(graveyard).get(0);
    assertThat(letter.key()).isEqualTo("17");
    assertThat(letter.value()).isEqualTo("body");
    assertThat(letter.headers())
        .filteredOn(it -> !it.key().startsWith("kafka_dlt-"))
        .extracting(Header::key, it -> new String(it.value(), StandardCharsets.UTF_8))
        .containsExactlyInAnyOrder(
            tuple("tenant", "acme"),
            tuple("hapax-consumer", "orders"),
            tuple("hapax-id", "17"),
            tuple("hapax-attempts", "3"),
            tuple("hapax-kind", "ATTEMPTS_EXHAUSTED"),
            tuple("hapax-detail", "java.lang.IllegalStateException: no stock"),
            tuple("hapax-in-doubt", "true"),
            tuple("hapax-coordinates", topic + "-0@7"),
            tuple("hapax-failed-at", ""),
            tuple("hapax-timestamp", "1000"));
  }

  @Test
  void a_dead_letter_has_the_headers_of_spring_in_their_encodings() throws Exception {
    String graveyard = Broker.topic(1);
    KafkaDeadLetterPublisher<String, String> publisher =
        open(KafkaDeadLetterPublisher.<String, String>builder(Broker.producer())
            .topic(graveyard)
            .consumerGroup("billing")
            .open());
    Exception error = new IllegalStateException("no stock", new IOException("x".repeat(9_000)));

    publisher.publish(new DeadLetter<>(
        record("17", "body", new RecordHeaders()),
        "orders",
        "17",
        topic + "-0@7",
        3,
        DeadLetter.Kind.ATTEMPTS_EXHAUSTED,
        "java.lang.IllegalStateException: no stock",
        false,
        Optional.of(error)));

    ConsumerRecord<String, String> letter = Broker.read(graveyard).get(0);
    assertThat(header(letter, "kafka_dlt-original-topic")).isEqualTo(topic);
    assertThat(letter.headers().lastHeader("kafka_dlt-original-partition").value())
        .isEqualTo(new byte[] {0, 0, 0, 0});
    assertThat(letter.headers().lastHeader("kafka_dlt-original-offset").value())
        .isEqualTo(new byte[] {0, 0, 0, 0, 0, 0, 0, 7});
    assertThat(letter.headers().lastHeader("kafka_dlt-original-timestamp").value())
        .isEqualTo(new byte[] {0, 0, 0, 0, 0, 0, 3, (byte) 0xe8});
    assertThat(header(letter, "kafka_dlt-original-timestamp-type")).isEqualTo("CreateTime");
    assertThat(header(letter, "kafka_dlt-original-consumer-group")).isEqualTo("billing");
    assertThat(header(letter, "kafka_dlt-exception-fqcn"))
        .isEqualTo("java.lang.IllegalStateException");
    assertThat(header(letter, "kafka_dlt-exception-cause-fqcn")).isEqualTo("java.io.IOException");
    assertThat(header(letter, "kafka_dlt-exception-message"))
        .isEqualTo("java.lang.IllegalStateException: no stock");
    assertThat(header(letter, "kafka_dlt-exception-stacktrace"))
        .startsWith("java.lang.IllegalStateException: no stock")
        .contains("KafkaDeadLetterTest")
        .hasSize(8_192);
  }

  private KafkaReceiver<String, String> buryBeside(
      String source, KafkaDeadLetterBuilder<String, String> target) {
    return start(source, open(builder().deadLetters(open(target.open())).leased(store, delivery -> {
      throw new RejectedMessageException("no such article");
    })));
  }

  @Test
  void dead_letters_go_beside_their_topic_into_the_same_partition() throws Exception {
    String source = Broker.topic(3);
    String beside = Broker.create(source + "-dlt", 3);
    Broker.send(source, 2, "poison");

    buryBeside(source, KafkaDeadLetterPublisher.builder(Broker.producer()));

    awaitCommitted(source, 2, 1);
    assertThat(Broker.end(beside, 2)).isEqualTo(1);
  }

  @Test
  void the_key_decides_where_the_dead_letter_topic_has_fewer_partitions() throws Exception {
    String source = Broker.topic(3);
    String beside = Broker.create(source + ".DLT", 1);
    Broker.send(source, 2, "poison");

    buryBeside(
        source,
        KafkaDeadLetterPublisher.<String, String>builder(Broker.producer())
            .suffix(".DLT")
            .sources(List.of(source)));

    awaitCommitted(source, 2, 1);
    ConsumerRecord<String, String> letter = Broker.read(beside).get(0);
    assertThat(letter.key()).isEqualTo("poison");
    assertThat(header(letter, "kafka_dlt-exception-stacktrace")).contains("buryBeside");
  }

  @Test
  void a_message_waits_until_its_dead_letter_topic_is_created() throws Exception {
    String source = Broker.topic(1);
    Broker.send(source, 0, "poison");

    KafkaReceiver<String, String> reading = buryBeside(
        source,
        KafkaDeadLetterPublisher.<String, String>builder(Broker.producer())
            .topics(record -> "dead-of-" + record.topic()));

    await()
        .untilAsserted(() -> assertThat(reading.problems().toString())
            .contains("dead-letter topic 'dead-of-" + source + "' does not exist"));
    Broker.create("dead-of-" + source, 1);

    awaitCommitted(source, 1);
    assertThat(Broker.end("dead-of-" + source, 0)).isEqualTo(1);
  }

  @Test
  void two_ways_to_name_the_dead_letter_topic_and_a_missing_one_are_refused() {
    var builder = KafkaDeadLetterPublisher.<String, String>builder(Broker.producer());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.sources(List.of(topic)).open())
        .withMessageContaining("dead-letter topic '" + topic + "-dlt'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KafkaDeadLetterPublisher.to("no-such-topic", Broker.producer()))
        .withMessageContaining("dead-letter topic 'no-such-topic'")
        .withMessageContaining("create it first");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.suffix(".DLT").topic("dead"))
        .withMessage("topic is set but suffix is set, too: set only one of them");
  }

  /** A redrive refuses a dead letter whose headers are missing. */
  @ParameterizedTest
  @ValueSource(strings = {"a,b", ""})
  void a_header_that_was_left_out_is_missed_although_its_name_is_odd(String name) {
    RecordHeaders headers = new RecordHeaders();
    headers.add("a", new byte[1]).add("b", new byte[1]).add(name, new byte[1_000_000]);
    ProducerRecord<String, byte[]> head =
        DeadLetterRecord.head(new ProducerRecord<>("dead", null, "17", new byte[1], headers), 2);

    assertThat(head.headers().lastHeader(name)).as("left out").isNull();
    assertThat(DeadLetterRecord.missing(record("17", "b", new RecordHeaders(head.headers()))))
        .isPresent();
  }

  /** A record with a header of its own, and one that an earlier death left on it. */
  private ConsumerRecord<String, String> diedBefore() {
    RecordHeaders headers = new RecordHeaders();
    headers.add("tenant", "acme".getBytes(StandardCharsets.UTF_8));
    headers.add("hapax-kind", "TOO_OLD".getBytes(StandardCharsets.UTF_8));
    return record("17", "body", headers);
  }

  private ConsumerRecord<String, String> record(String key, String value, RecordHeaders headers) {
    return new ConsumerRecord<>(
        topic,
        0,
        7,
        1_000,
        TimestampType.CREATE_TIME,
        key.length(),
        value.length(),
        key,
        value,
        headers,
        Optional.empty());
  }
}
