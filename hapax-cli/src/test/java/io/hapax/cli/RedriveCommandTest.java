package io.hapax.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hapax.IdempotentReceiver;
import io.hapax.errors.RejectedMessageException;
import io.hapax.kafka.KafkaDeadLetterPublisher;
import io.hapax.kafka.KafkaFingerprints;
import io.hapax.kafka.KafkaIds;
import io.hapax.kafka.KafkaReceiver;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Redrives dead-letter records on real servers. */
class RedriveCommandTest extends CommandFixture {

  @BeforeEach
  void createDeadLetterTopic() {
    KAFKA.createTopic(dead, 1);
  }

  private Console redriving(String letters) {
    return new Console(
        marks("--bootstrap", KAFKA.bootstrapServers(), "--topic", letters, "--id header:order-id"));
  }

  @Test
  void a_redrive_is_dry_at_first_and_then_lets_the_message_run_once() throws Exception {
    send("poison");
    AtomicBoolean mended = new AtomicBoolean();
    Console redriving = redriving(dead);
    OutcomeLatch outcome = new OutcomeLatch();
    try (var publisher = KafkaDeadLetterPublisher.<byte[], byte[]>to(dead, producer());
        var receiver = IdempotentReceiver.<ConsumerRecord<byte[], byte[]>>builder("billing")
            .id(KafkaIds.header("order-id"))
            .fingerprint(KafkaFingerprints.value())
            .deadLetters(publisher)
            .listener(outcome)
            .leased(store, delivery -> {
              if (!mended.get()) {
                throw new RejectedMessageException("no such price");
              }
              effects.incrementAndGet();
            });
        var service = KafkaReceiver.start(receiver, consumer(), List.of(topic))) {
      outcome.awaitDeath();
      mended.set(true);

      assertThat(redriving.run("redrive --all --to", topic)).as(redriving.err()).isZero();
      assertThat(redriving.out())
          .containsPattern("to be published +1\n")
          .containsPattern(
              "to be published: poison at " + dead + "-0@0, \\d+ s old \\(NOT_RETRYABLE: ")
          .contains("This was a dry run");
      assertThat(effects).hasValue(0);

      assertThat(redriving.run("redrive --message poison --to", topic, "--execute --json", json()))
          .as(redriving.err())
          .isZero();
      outcome.awaitDone();
      assertThat(effects).hasValue(1);
      JsonNode report = report();
      assertThat(report.at("/redrive/published").asInt()).isEqualTo(1);
      assertThat(report.at("/redrive/samples/0/from").asText()).isEqualTo(topic + "-0@0");

      assertThat(redriving.run("redrive --all --to", topic, "--execute")).isZero();
      assertThat(redriving.out()).contains("not dead: poison at " + dead).contains(": it is done");
      assertThat(redriving.run("redrive --message gone --to", topic, "--execute"))
          .isEqualTo(1);
      assertThat(redriving.out()).contains("no record: gone");
      assertThat(redriving("no-such-topic").run("redrive --all --to", topic)).isEqualTo(2);
      assertThat(service.problems()).isEmpty();
    }
  }

  @Test
  void a_redrive_of_texts_publishes_the_bytes_that_died() throws Exception {
    byte[] noUtf8 = {'{', (byte) 0xE9, '}'};
    send(new ProducerRecord<>(dead, noUtf8, noUtf8), topic);
    Console console = redriving(dead);

    assertThat(
            console.run("redrive --all --to", topic, "--accept-unmarked --execute --format text"))
        .as(console.err())
        .isZero();

    assertThat(console.out()).containsPattern("without a mark +1 ");
    ConsumerRecord<byte[], byte[]> again = first(topic);
    assertThat(again.value()).isEqualTo(noUtf8);
    assertThat(again.key()).isEqualTo(noUtf8);
  }

  /** The texts of foreign records are cut, possibly between the halves of a character. */
  @Test
  void a_report_on_a_text_that_is_no_valid_text_is_written() throws Exception {
    ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(dead, new byte[] {1});
    String detail = "x".repeat(3_999) + "\uD83D\uDE00";
    record.headers().add("hapax-detail", detail.getBytes(StandardCharsets.UTF_8));
    send(record, topic);
    Console console = redriving(dead);

    assertThat(
            console.run("redrive --all --to", topic, "--accept-unmarked --execute --json", json()))
        .as(console.err())
        .isZero();

    assertThat(report().at("/redrive/published").asInt()).isEqualTo(1);
  }

  /** Sends a dead-letter record of the message {@code latin}, which has no mark in the store. */
  private static void send(ProducerRecord<byte[], byte[]> record, String origin) throws Exception {
    record.headers().add("order-id", "latin".getBytes(StandardCharsets.UTF_8));
    record.headers().add("hapax-coordinates", (origin + "-0@0").getBytes(StandardCharsets.UTF_8));
    try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(producer())) {
      producer.send(record).get(30, TimeUnit.SECONDS);
    }
  }

  private ConsumerRecord<byte[], byte[]> first(String topic) {
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(consumer())) {
      consumer.assign(List.of(new TopicPartition(topic, 0)));
      consumer.seekToBeginning(consumer.assignment());
      ConsumerRecords<byte[], byte[]> records = ConsumerRecords.empty();
      while (records.isEmpty()) {
        records = consumer.poll(Duration.ofMillis(100));
      }
      return records.iterator().next();
    }
  }
}
