package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.hapax.IdempotentReceiver;
import io.hapax.OutcomeProbe;
import io.hapax.UnknownOutcomePolicy;
import io.hapax.health.Problem;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class KafkaBatchProcessorTest extends WithReceivers {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final String topic = Broker.topic(1);
  private final TopicPartition partition = new TopicPartition(topic, 0);

  /** A processor whose handler fails once on a text. */
  private KafkaBatchProcessor<String, String> failingOnceOn(String text) {
    IdempotentReceiver<ConsumerRecord<String, String>> receiver = receiver(delivery -> {
      if (delivery.message().value().equals(text) && delivery.attempt() == 1) {
        throw new IllegalStateException("fails once");
      }
      record(delivery);
    });
    return KafkaBatchProcessor.of(receiver, settings(), PATIENCE);
  }

  private Map<String, Object> settings() {
    return with(Map.of("enable.auto.commit", "false", "max.poll.records", 2));
  }

  /** Reads the partition from its beginning. */
  private KafkaConsumer<String, String> consumer() {
    KafkaConsumer<String, String> consumer = open(new KafkaConsumer<>(settings()));
    consumer.assign(List.of(partition));
    consumer.seekToBeginning(List.of(partition));
    return consumer;
  }

  @Test
  void a_loop_of_the_users_own_seeks_back_to_what_failed_and_commits_the_rest() throws Exception {
    Broker.send(topic, 0, "a", "b", "a", "c");
    KafkaBatchProcessor<String, String> processor = failingOnceOn("b");
    KafkaConsumer<String, String> consumer = consumer();

    boolean soughtBack = false;
    while (Broker.committed(group, topic, 0) < 4) {
      processor.resumeDue(consumer);
      Processed processed = processor.process(consumer.poll(Duration.ofMillis(100)));
      soughtBack |= processed.seeks().containsKey(partition)
          && processed.commits().values().stream().allMatch(offset -> offset.offset() == 1);
      processed.applyTo(consumer);
    }

    assertThat(soughtBack).isTrue();
    assertThat(effects).containsExactly("a", "b", "c");
  }

  @Test
  void after_an_exception_a_loop_seeks_back_and_loses_nothing() throws Exception {
    Broker.send(topic, 0, "a", "b");
    KafkaBatchProcessor<String, String> processor = failingOnceOn("nothing");
    KafkaConsumer<String, String> consumer = consumer();

    int interrupted = 0;
    while (Broker.committed(group, topic, 0) < 2) {
      ConsumerRecords<String, String> records = ConsumerRecords.empty();
      try {
        processor.resumeDue(consumer);
        records = consumer.poll(Duration.ofMillis(100));
        if (!records.isEmpty() && interrupted == 0) {
          Thread.currentThread().interrupt();
        }
        processor.process(records).applyTo(consumer);
      } catch (InterruptedException e) {
        assertThat(++interrupted).isOne();
        assertThat(processor.problems()).asString().contains("a poll was not finished");
        processor.seekBack(records, consumer);
        assertThat(processor.problems()).isEmpty();
      }
    }
    assertThat(effects).containsExactly("a", "b");
  }

  @Test
  void a_loop_that_polled_on_after_an_exception_seeks_back_to_the_first_unfinished_record()
      throws Exception {
    Broker.send(topic, 0, "a", "b", "c");
    KafkaBatchProcessor<String, String> processor = failingOnceOn("nothing");
    KafkaConsumer<String, String> consumer = consumer();
    ConsumerRecords<String, String> first = nextRecords(consumer);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> processor.process(first)).isInstanceOf(InterruptedException.class);
    ConsumerRecords<String, String> second = nextRecords(consumer);
    assertThatIllegalStateException()
        .isThrownBy(() -> processor.process(second))
        .withMessageContaining("seekBack");

    processor.seekBack(second, consumer);

    assertThat(consumer.position(partition)).isZero();
  }

  @Test
  void a_poll_that_was_refused_is_read_again_too() throws Exception {
    Broker.send(topic, 0, "a");
    KafkaBatchProcessor<String, String> processor = failingOnceOn("nothing");
    KafkaConsumer<String, String> consumer = consumer();
    ConsumerRecords<String, String> refused = nextRecords(consumer);
    Thread.currentThread().interrupt();
    assertThatThrownBy(
            () -> processor.process(records(new ConsumerRecord<>("orders", 0, 7, "x", "x"))))
        .isInstanceOf(InterruptedException.class);
    assertThatIllegalStateException().isThrownBy(() -> processor.process(refused));

    processor.seekBack(ConsumerRecords.empty(), consumer);

    assertThat(consumer.position(partition)).isZero();
  }

  @Test
  void after_a_poll_that_an_interceptor_split_nothing_is_processed_or_sought() throws Exception {
    Broker.send(topic, 0, "a");
    KafkaBatchProcessor<String, String> processor = failingOnceOn("nothing");
    ConsumerRecord<String, String> part = new ConsumerRecord<>("orders", 0, 7, "part", "part");
    ConsumerRecords<String, String> split = records(List.of(part, part));
    KafkaConsumer<String, String> consumer = consumer();
    ConsumerRecords<String, String> next = nextRecords(consumer);

    assertThatIllegalStateException()
        .isThrownBy(() -> processor.seekBack(split, consumer))
        .withMessageContaining("interceptor");
    assertThatIllegalStateException().isThrownBy(() -> processor.process(next));
    assertThatIllegalStateException().isThrownBy(() -> processor.seekBack(next, consumer));

    assertThat(consumer.position(partition)).isOne();
    assertThatIllegalStateException().isThrownBy(() -> failingOnceOn("").process(split));
  }

  private static ConsumerRecords<String, String> nextRecords(
      KafkaConsumer<String, String> consumer) {
    ConsumerRecords<String, String> records = consumer.poll(Duration.ofMillis(100));
    while (records.isEmpty()) {
      records = consumer.poll(Duration.ofMillis(100));
    }
    return records;
  }

  @Test
  void a_partition_that_waits_is_a_problem_until_its_message_succeeds() throws Exception {
    ConsumerRecords<String, String> polled =
        records(new ConsumerRecord<>("orders", 0, 7, "waiting", "waiting"));
    KafkaBatchProcessor<String, String> processor = failingOnceOn("waiting");

    assertThat(processor.process(polled).seeks()).hasSize(1);
    assertThat(processor.problems())
        .extracting(Problem::kind, Problem::subject)
        .containsExactly(tuple(Problem.Kind.PARTITION_WAITING, "orders-0@7"));
    await().until(() -> processor.process(polled).seeks().isEmpty());

    assertThat(processor.problems()).isEmpty();
  }

  @Test
  void a_record_that_is_left_out_is_committed_without_a_mark() throws Exception {
    ConsumerRecord<String, String> unwanted = new ConsumerRecord<>("orders", 0, 7, "a", "unwanted");
    ConsumerRecord<String, String> wanted = new ConsumerRecord<>("orders", 0, 8, "a", "wanted");
    KafkaBatchProcessor<String, String> processor = failingOnceOn("nothing");

    Processed first = processor.process(records(unwanted), unwanted::equals);
    Processed second = processor.process(records(wanted), unwanted::equals);

    assertThat(first.commits().values()).extracting(OffsetAndMetadata::offset).containsExactly(8L);
    assertThat(second.commits().values()).extracting(OffsetAndMetadata::offset).containsExactly(9L);
    assertThat(effects).containsExactly("wanted");
  }

  @Test
  void a_partition_lost_while_its_handlers_run_does_not_stop_the_others() {
    TopicPartition lost = new TopicPartition("orders", 0);
    TopicPartition kept = new TopicPartition("orders", 1);
    try (ScriptedConsumer consumer = new ScriptedConsumer()) {
      consumer.assign(List.of(kept));
      consumer.seek(kept, 9);

      new Processed(
              Map.of(),
              Map.of(lost, new OffsetAndMetadata(1), kept, new OffsetAndMetadata(5)),
              Map.of())
          .applyTo(consumer);

      assertThat(consumer.position(kept)).isEqualTo(5);
      assertThat(consumer.paused()).containsExactly(kept);
    }
  }

  static Stream<RuntimeException> passingRefusals() {
    return Stream.of(
        new TimeoutException("no broker"),
        new RebalanceInProgressException("wait"),
        new CommitFailedException("another generation"));
  }

  @ParameterizedTest
  @MethodSource("passingRefusals")
  void a_commit_that_was_refused_for_now_is_left_to_a_later_one(RuntimeException refusal) {
    try (ScriptedConsumer consumer = new ScriptedConsumer()) {
      consumer.commitFailure = Optional.of(refusal);

      new Processed(Map.of(partition, new OffsetAndMetadata(5)), Map.of(), Map.of())
          .applyTo(consumer);

      assertThat(consumer.waited).containsExactly(5L);
    }
  }

  private static ConsumerRecords<String, String> records(ConsumerRecord<String, String> record) {
    return records(List.of(record));
  }

  @SuppressWarnings("deprecation") // what replaces it is missing in kafka-clients before 4.0
  private static ConsumerRecords<String, String> records(
      List<ConsumerRecord<String, String>> records) {
    return new ConsumerRecords<>(Map.of(new TopicPartition("orders", 0), records));
  }

  @Test
  void a_patience_that_ends_before_a_probe_can_is_refused() {
    IdempotentReceiver<ConsumerRecord<String, String>> probing = open(builder()
        .onUnknownOutcome(UnknownOutcomePolicy.probe(delivery -> OutcomeProbe.Answer.NOT_APPLIED))
        .leased(store, this::record));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> KafkaBatchProcessor.of(probing, settings(), PATIENCE))
        .withMessageContaining("patience is PT20S but must be longer than PT35S");
  }

  @Test
  void a_consumer_that_commits_by_itself_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KafkaBatchProcessor.of(
            receiver(this::record), with(Map.of("enable.auto.commit", true)), PATIENCE))
        .withMessageContaining("enable.auto.commit");
  }
}
