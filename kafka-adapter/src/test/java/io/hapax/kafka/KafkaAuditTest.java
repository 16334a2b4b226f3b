package io.hapax.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.audit.AuditFailedException;
import io.hapax.audit.AuditReport;
import io.hapax.audit.AuditSettings;
import io.hapax.audit.Finding;
import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicPart;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupListing;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.junit.jupiter.api.Test;

/** A topic is audited without a trace. */
class KafkaAuditTest extends AuditedTopic {

  /** Groups of tests that run at the same time. */
  private static final Pattern TESTS_GROUP = Pattern.compile("(orders|topic)-\\d+\\b.*");

  @Test
  void what_the_service_has_done_would_not_run_again() throws Exception {
    handled("a", "b", "a");

    AuditReport report = audit();

    assertThat(report.messages()).isEqualTo(3);
    assertThat(report.duplicates()).isEqualTo(1);
    assertThat(report.ids().done()).isEqualTo(2);
    assertThat(report.settled()).isTrue();
  }

  @Test
  void every_count_is_taken_from_the_topic() throws Exception {
    handled("done");
    claimedByForeigner("held", Duration.ofHours(1));
    Broker.send(topic, 1, "held", "new", "new");
    Broker.sendWithoutKey(topic, "no id");
    try (KafkaProducer<String, String> producer = new KafkaProducer<>(Broker.producer())) {
      producer
          .send(new ProducerRecord<>(topic, 1, "done", "another payload"))
          .get(30, TimeUnit.SECONDS);
    }

    AuditReport report = audit();

    assertThat(report.messages()).isEqualTo(6);
    assertThat(report.missingIds()).isEqualTo(1);
    assertThat(report.conflicts()).isEqualTo(1);
    assertThat(report.duplicates()).isEqualTo(1);
    assertThat(report.ids()).isEqualTo(new AuditReport.Ids(3, 1, 1, 0, 0, 0, 1, 0, 0));
    assertThat(report.samples()).anySatisfy(sample -> {
      assertThat(sample.finding()).isEqualTo(Finding.UNKNOWN);
      assertThat(sample.coordinates()).isEqualTo(topic + "-1@1");
    });
  }

  @Test
  void duplicates_that_differ_in_a_header_but_not_only_in_tracing_are_reported() throws Exception {
    try (KafkaProducer<String, String> producer = new KafkaProducer<>(Broker.producer())) {
      for (String type : List.of("created", "created", "paid")) {
        for (String key : List.of("17", "18")) {
          ProducerRecord<String, String> record = new ProducerRecord<>(topic, 0, key, "order");
          record.headers().add("traceparent", UUID.randomUUID().toString().getBytes(UTF_8));
          record.headers().add("type", (key.equals("17") ? type : "created").getBytes(UTF_8));
          producer.send(record).get(30, TimeUnit.SECONDS);
        }
      }
    }

    AuditReport report = audit();

    assertThat(report.duplicates()).isEqualTo(4);
    assertThat(report.otherHeaders())
        .isEqualTo(new AuditReport.OtherHeaders(1, List.of("17 at " + topic + "-0@4")));
  }

  @Test
  void an_audit_leaves_no_group_and_moves_no_offset() throws Exception {
    handled("a");
    Broker.commit(group, topic, 0, 0);
    Set<String> before = groups();
    long other = Broker.committed(group, topic, 1);

    audit();

    Set<String> added = groups();
    added.removeAll(before);
    assertThat(added).allMatch(TESTS_GROUP.asMatchPredicate());
    assertThat(Broker.committed(group, topic, 0)).isZero();
    assertThat(Broker.committed(group, topic, 1)).isEqualTo(other);
    assertThat(effects).containsExactly("a");
  }

  @SuppressWarnings("removal") // what replaces it is missing in kafka-clients before 4.0
  private static Set<String> groups() throws Exception {
    try (Admin admin = Broker.admin()) {
      return admin.listConsumerGroups().all().get(30, TimeUnit.SECONDS).stream()
          .map(ConsumerGroupListing::groupId)
          .collect(Collectors.toSet());
    }
  }

  @Test
  void a_record_that_cannot_be_read_is_counted_and_does_not_stop_it() throws Exception {
    Broker.send(topic, 0, "four", "longer");
    Map<String, Object> settings = new HashMap<>(Broker.consumer(group));
    settings.put("value.deserializer", IntegerDeserializer.class);
    AuditSettings<ConsumerRecord<String, Integer>> integers =
        AuditSettings.of("orders", KafkaIds.key(), it -> io.hapax.mark.Fingerprint.NONE);

    AuditReport report = KafkaAudit.of(store, integers, settings)
        .run(TopicPart.all(topic), StartingPoint.beginning());

    assertThat(report.messages()).isEqualTo(2);
    assertThat(report.missingIds()).isEqualTo(1);
    assertThat(report.ids().unknown()).isEqualTo(1);
  }

  @Test
  void a_topic_that_does_not_exist_is_named_and_not_made() throws Exception {
    KafkaAudit<String, String> audit = KafkaAudit.of(store, SETTINGS, Broker.consumer(group));

    assertThatThrownBy(() -> audit.run(TopicPart.all("no-such-topic"), StartingPoint.beginning()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("topic no-such-topic does not exist");
    assertThatThrownBy(() -> audit.run(new TopicPart(topic, Set.of(7)), StartingPoint.beginning()))
        .hasMessageContaining("partition 7");
  }

  @Test
  void brokers_that_do_not_answer_end_it() {
    Map<String, Object> settings = new HashMap<>(Broker.consumer(group));
    settings.put("bootstrap.servers", "127.0.0.1:1");
    KafkaAudit<String, String> audit =
        KafkaAudit.of(store, SETTINGS, settings).withPatience(Duration.ofSeconds(1));

    assertThatThrownBy(() -> audit.run(TopicPart.all(topic), StartingPoint.beginning()))
        .isInstanceOf(AuditFailedException.class);
  }
}
