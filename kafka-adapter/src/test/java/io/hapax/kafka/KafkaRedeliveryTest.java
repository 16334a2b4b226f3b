package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.mark.Resolution;
import io.hapax.redrive.MarkOperations;
import io.hapax.redrive.RedriveResult;
import io.hapax.redrive.RedriveResult.Published;
import io.hapax.redrive.RedriveResult.Refused;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The message of a stale mark comes again on an operator's word, as it was. */
@Timeout(120)
class KafkaRedeliveryTest extends WithReceivers {

  private static final Duration LEASE = Duration.ofMinutes(1);

  /** Not the partition that a producer takes for the key. */
  private static final int HOME = 0;

  private final String topic = Broker.topic(2);
  private Duration ahead = Duration.ZERO;

  private KafkaRedelivery<String, String> redelivery() {
    return open(KafkaRedelivery.of(
        new MarkOperations(store, "orders"),
        KafkaIds.key(),
        Broker.consumer("redelivery"),
        Broker.producer()));
  }

  /** As a consumer that has claimed it and vanished a while ago. */
  private void vanishedWith(String id, String coordinates) {
    store.claim(
        List.of(new ClaimRequest(
            MessageKey.of("orders", id),
            new Nonce(7, 7),
            Fingerprint.NONE,
            new Origin("somebody", coordinates),
            new ClaimTerms(false, true, ClaimTerms.ANY_TIME))),
        LEASE);
    ahead = ahead.plus(LEASE).plusSeconds(1);
    skew.set(ahead);
  }

  private void send(String key, String value) throws Exception {
    try (KafkaProducer<String, String> producer = new KafkaProducer<>(Broker.producer())) {
      ProducerRecord<String, String> record = new ProducerRecord<>(topic, HOME, key, value);
      record.headers().add("tenant", "acme".getBytes(StandardCharsets.UTF_8));
      producer.send(record).get(30, TimeUnit.SECONDS);
    }
  }

  /** Both the dry answer and the real one, which must agree. */
  private RedriveResult answer(String id) throws InterruptedException {
    KafkaRedelivery<String, String> redelivery = redelivery();
    RedriveResult dry = redelivery.plan(id);
    assertThat(redelivery.execute(id)).isEqualTo(dry);
    return dry;
  }

  @Test
  void a_record_is_redelivered_unchanged_to_its_partition() throws Exception {
    send("poison", "first");
    send("poison", "second");
    vanishedWith("poison", topic + "-0@0");
    KafkaRedelivery<String, String> redelivery = redelivery();

    assertThat(redelivery.plan("poison")).isEqualTo(new Published());
    assertThat(Broker.end(topic, HOME)).as("a plan publishes nothing").isEqualTo(2);
    assertThat(redelivery.execute("poison")).isEqualTo(new Published());

    List<ConsumerRecord<String, String>> all = Broker.read(topic);
    ConsumerRecord<String, String> again = all.get(all.size() - 1);
    assertThat(again.partition()).isEqualTo(HOME);
    assertThat(again.offset()).isEqualTo(2);
    assertThat(again.key()).isEqualTo("poison");
    assertThat(again.value()).isEqualTo("first");
    assertThat(header(again, "tenant")).isEqualTo("acme");
    assertThat(store.find(List.of(MessageKey.of("orders", "poison"))).get(0))
        .hasValueSatisfying(mark -> assertThat(mark.state()).isEqualTo(MarkState.PROCESSING));
  }

  private Mark mark(String id) {
    return store.find(List.of(MessageKey.of("orders", id))).get(0).orElseThrow();
  }

  @Test
  void the_message_of_a_stale_mark_is_dead_lettered() throws Exception {
    String letters = Broker.topic(1);
    send("poison", "first");
    vanishedWith("poison", topic + "-0@0");
    long token = mark("poison").claim().token();

    assertThat(redelivery().deadLetter("poison", letters)).isEqualTo(new Published());

    assertThat(mark("poison").state()).isEqualTo(MarkState.DEAD);
    assertThat(mark("poison").claim().token()).isGreaterThan(token);
    ConsumerRecord<String, String> letter = Broker.read(letters).get(0);
    assertThat(letter.value()).isEqualTo("first");
    assertThat(header(letter, "hapax-kind")).isEqualTo("IN_DOUBT");
    assertThat(header(letter, "hapax-in-doubt")).isEqualTo("true");
    assertThat(header(letter, "hapax-coordinates")).isEqualTo(topic + "-0@0");
    assertThat(redelivery().deadLetter("poison", letters))
        .isEqualTo(new Refused("it is dead: redrive its dead-letter record"));
    assertThat(Broker.read(letters)).hasSize(1);
  }

  @Test
  void what_an_owner_holds_or_was_done_is_not_dead_lettered() throws Exception {
    String letters = Broker.topic(1);
    send("held", "first");
    vanishedWith("held", topic + "-0@0");
    skew.set(Duration.ZERO); // the lease is alive

    assertThat(redelivery().deadLetter("held", letters)).isInstanceOf(Refused.class);

    skew.set(ahead);
    store.resolve(
        mark("held").key(),
        mark("held").claim().token(),
        MarkState.PROCESSING,
        Resolution.FORCE_DONE);
    assertThat(redelivery().deadLetter("held", letters)).isEqualTo(new Refused("it is done"));
    assertThat(Broker.read(letters)).isEmpty();
  }

  @Test
  void the_topic_of_the_message_is_no_dead_letter_topic() throws Exception {
    send("poison", "first");
    vanishedWith("poison", topic + "-0@0");

    assertThat(redelivery().deadLetter("poison", topic).why())
        .endsWith("is the topic of the message, not a dead-letter topic");
    assertThat(Broker.end(topic, HOME)).isEqualTo(1);
    assertThat(mark("poison").state()).isEqualTo(MarkState.PROCESSING);
  }

  @Test
  void without_a_dead_letter_topic_nothing_is_changed() throws Exception {
    send("poison", "first");
    vanishedWith("poison", topic + "-0@0");
    Mark before = mark("poison");
    KafkaRedelivery<String, String> redelivery = redelivery();

    assertThatThrownBy(() -> redelivery.deadLetter("poison", "no-such-topic"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("create it first");
    assertThat(mark("poison")).isEqualTo(before);
  }

  @Test
  void a_record_that_the_log_has_removed_is_refused() throws Exception {
    send("poison", "first");
    send("poison", "second");
    vanishedWith("poison", topic + "-0@0");
    try (Admin admin = Broker.admin()) {
      admin
          .deleteRecords(Map.of(new TopicPartition(topic, HOME), RecordsToDelete.beforeOffset(1)))
          .all()
          .get(30, TimeUnit.SECONDS);
    }

    assertThat(answer("poison").why())
        .isEqualTo("there is no message at " + topic + "-0@0 any more");
    assertThat(Broker.end(topic, HOME)).isEqualTo(2);
  }

  @Test
  void a_place_that_does_not_exist_is_refused_and_no_topic_is_made() throws Exception {
    vanishedWith("partition", topic + "-7@0");
    vanishedWith("topic", "no-such-topic-0@0");
    vanishedWith("nonsense", "somewhere");

    assertThat(answer("partition").why()).contains("partition 7 of its topic");
    assertThat(answer("topic").why()).contains("its topic no-such-topic does not exist any more");
    assertThat(answer("nonsense").why()).contains("somewhere, which is not the place of a record");
    try (Admin admin = Broker.admin()) {
      assertThat(admin.listTopics().names().get(30, TimeUnit.SECONDS))
          .doesNotContain("no-such-topic");
    }
  }

  @Test
  void another_message_in_its_place_is_refused() throws Exception {
    send("other", "first");
    vanishedWith("poison", topic + "-0@0");

    assertThat(answer("poison").why()).contains("is another one: other");
    assertThat(Broker.end(topic, HOME)).isEqualTo(1);
  }
}
