package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.audit.AuditFailedException;
import io.hapax.audit.AuditReport;
import io.hapax.audit.AuditSettings;
import io.hapax.audit.Finding;
import io.hapax.audit.ReplayMove;
import io.hapax.audit.ReplayPlan;
import io.hapax.audit.ReplayRefusedException;
import io.hapax.audit.ScannedRange;
import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicPart;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A topic is audited without a trace, and a stopped group is moved back without an effect. */
@Timeout(120)
class KafkaReplayTest extends WithReceivers {

  private static final AuditSettings<ConsumerRecord<String, String>> SETTINGS =
      AuditSettings.of("orders", KafkaIds.key(), KafkaFingerprints.value());

  private final String topic = Broker.topic(2);
  private final String group = "group-of-" + topic;

  private AuditReport audit(StartingPoint from) throws InterruptedException {
    return KafkaAudit.of(store, SETTINGS, Broker.consumer(group)).run(TopicPart.all(topic), from);
  }

  private AuditReport audit() throws InterruptedException {
    return audit(StartingPoint.beginning());
  }

  private KafkaReplay replay() {
    return open(KafkaReplay.of(Broker.consumer(group), group));
  }

  /** Sends and handles some messages with the service, and stops it. */
  private void handled(String... ids) throws Exception {
    Broker.send(topic, 0, ids);
    try (KafkaReceiver<String, String> service = start(topic, group, this::record)) {
      awaitCommitted(topic, group, Broker.end(topic, 0));
    }
    await().atMost(BOUND).until(() -> Broker.owners(group).isEmpty());
  }

  private static List<String> groups() throws Exception {
    try (Admin admin = Broker.admin()) {
      return admin.listGroups().all().get(30, TimeUnit.SECONDS).stream()
          .map(GroupListing::groupId)
          .sorted()
          .toList();
    }
  }

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
  void an_audit_leaves_no_group_and_moves_no_offset() throws Exception {
    handled("a");
    Broker.commit(group, topic, 0, 0);
    List<String> before = groups();
    long other = Broker.committed(group, topic, 1);

    audit();

    assertThat(groups()).isEqualTo(before);
    assertThat(Broker.committed(group, topic, 0)).isZero();
    assertThat(Broker.committed(group, topic, 1)).isEqualTo(other);
    assertThat(effects).containsExactly("a");
  }

  @Test
  void aborted_records_and_the_markers_of_transactions_do_not_hold_it_up() throws Exception {
    Broker.sendInTransaction(topic, true, "committed");
    Broker.sendInTransaction(topic, false, "aborted", "too");

    AuditReport report = audit();

    assertThat(report.messages()).isEqualTo(1);
    assertThat(report.ranges())
        .containsExactly(
            new ScannedRange(topic + "-0", 0, 5), new ScannedRange(topic + "-1", 0, 0));
  }

  @Test
  void aborted_records_are_read_by_a_consumer_that_reads_them() throws Exception {
    Broker.sendInTransaction(topic, false, "aborted");
    Map<String, Object> settings = new HashMap<>(Broker.consumer(group));
    settings.put("isolation.level", "read_uncommitted");

    AuditReport report = KafkaAudit.of(store, SETTINGS, settings)
        .run(TopicPart.all(topic), StartingPoint.beginning());

    assertThat(report.messages()).isEqualTo(1);
  }

  @Test
  void it_ends_where_the_topic_ended_when_it_began() throws Exception {
    Broker.send(topic, 0, "a", "b");
    List<Long> progress = new ArrayList<>();

    AuditReport report = KafkaAudit.of(store, SETTINGS, Broker.consumer(group))
        .withProgress((done, all) -> {
          if (progress.isEmpty()) {
            sendQuietly("late");
          }
          progress.add(all);
        })
        .run(TopicPart.all(topic), StartingPoint.beginning());

    assertThat(report.messages()).isEqualTo(2);
    assertThat(progress).containsOnly(2L);
    assertThat(Broker.end(topic, 0)).isEqualTo(3);
  }

  private void sendQuietly(String text) {
    try {
      Broker.send(topic, 0, text);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void what_was_removed_from_the_topic_is_not_waited_for() throws Exception {
    Broker.send(topic, 0, "old", "older", "young");
    try (Admin admin = Broker.admin()) {
      admin
          .deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(2)))
          .all()
          .get(30, TimeUnit.SECONDS);
    }

    assertThat(audit().messages()).isEqualTo(1);
    assertThat(KafkaAudit.of(store, SETTINGS, Broker.consumer(group))
            .run(new TopicPart(topic, Set.of(0)), StartingPoint.offset(1))
            .messages())
        .isEqualTo(1);
  }

  @Test
  void what_is_removed_while_it_reads_is_left_out() throws Exception {
    Broker.send(topic, 0, "old", "older", "young");

    AuditReport report = KafkaAudit.of(store, SETTINGS, Broker.consumer(group))
        .withProgress((done, all) -> {
          if (done == 0) {
            removeBefore(2);
          }
        })
        .run(TopicPart.all(topic), StartingPoint.beginning());

    assertThat(report.messages()).isEqualTo(1);
  }

  private void removeBefore(long offset) {
    try (Admin admin = Broker.admin()) {
      admin
          .deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(offset)))
          .all()
          .get(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void it_begins_at_an_offset_or_a_time_and_may_read_one_partition() throws Exception {
    Broker.send(topic, 0, "a", "b", "c");
    Broker.send(topic, 1, "d");
    KafkaAudit<String, String> audit = KafkaAudit.of(store, SETTINGS, Broker.consumer(group));
    TopicPart first = new TopicPart(topic, Set.of(0));

    assertThat(audit.run(first, StartingPoint.beginning()).messages()).isEqualTo(3);
    assertThat(audit.run(first, StartingPoint.offset(2)).messages()).isEqualTo(1);
    assertThat(audit(StartingPoint.at(Instant.EPOCH)).messages()).isEqualTo(4);
    assertThat(audit(StartingPoint.at(Instant.now().plusSeconds(3600))).messages())
        .isZero();
    assertThatThrownBy(() -> audit(StartingPoint.offset(2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(topic + "-1 ends at 1");
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

  @Test
  void a_replayed_group_reads_everything_again_and_nothing_takes_effect() throws Exception {
    handled("a", "b", "c");
    KafkaReplay replay = replay();
    ReplayPlan plan = replay.plan(TopicPart.all(topic), StartingPoint.beginning());

    assertThat(plan.again()).isEqualTo(3);
    assertThat(plan.skipped()).isZero();
    assertThat(Broker.committed(group, topic, 0)).as("a plan moves nothing").isEqualTo(3);
    AuditReport verdict = KafkaAudit.of(store, SETTINGS, Broker.consumer(group)).runAgain(plan);
    assertThat(verdict.messages()).isEqualTo(3);
    assertThat(verdict.settled()).isTrue();

    replay.execute(plan);

    assertThat(Broker.committed(group, topic, 0)).isZero();
    start(topic, group, this::record);
    awaitCommitted(topic, group, 3);
    assertThat(effects).containsExactly("a", "b", "c");
  }

  @Test
  void a_group_beyond_the_end_of_its_topic_is_judged_by_what_there_is_and_brought_back()
      throws Exception {
    handled("a", "b");
    Broker.commit(group, topic, 0, 100); // as after brokers that have lost the end of their log
    KafkaReplay replay = replay();

    ReplayPlan plan = replay.plan(TopicPart.all(topic), StartingPoint.beginning());
    AuditReport verdict = KafkaAudit.of(store, SETTINGS, Broker.consumer(group))
        .withPatience(Duration.ofSeconds(10))
        .runAgain(plan);
    replay.execute(plan);

    assertThat(plan.again()).isEqualTo(2);
    assertThat(verdict.messages()).isEqualTo(2);
    assertThat(verdict.settled()).isTrue();
    assertThat(Broker.committed(group, topic, 0)).isZero();
  }

  @Test
  void the_verdict_of_a_replay_leaves_out_what_was_not_read_yet() throws Exception {
    handled("a");
    Broker.send(topic, 0, "not read yet");

    ReplayPlan plan = replay().plan(TopicPart.all(topic), StartingPoint.beginning());

    assertThat(KafkaAudit.of(store, SETTINGS, Broker.consumer(group))
            .runAgain(plan)
            .messages())
        .isEqualTo(1);
  }

  @Test
  void what_a_move_forwards_would_lose_is_named() throws Exception {
    handled("a");
    Broker.send(topic, 0, "lost");

    ReplayPlan plan = replay()
        .plan(new TopicPart(topic, Set.of(0)), StartingPoint.at(Instant.now().plusSeconds(3600)));

    assertThat(plan.skipped()).isEqualTo(1);
    assertThat(plan.again()).isZero();
    assertThat(plan.toText()).contains("MESSAGES SKIPPED: up to 1");
    AuditReport lost = KafkaAudit.of(store, SETTINGS, Broker.consumer(group)).runSkipped(plan);
    assertThat(lost.wouldRunAgain()).isEqualTo(1);
  }

  @Test
  void a_partition_that_the_group_has_never_read_is_not_skipped() throws Exception {
    handled("a");
    try (Admin admin = Broker.admin()) { // as where nothing was committed while it was empty
      admin
          .deleteConsumerGroupOffsets(group, Set.of(new TopicPartition(topic, 1)))
          .all()
          .get(30, TimeUnit.SECONDS);
    }
    Broker.send(topic, 1, "never read");
    KafkaReplay replay = replay();

    ReplayPlan plan =
        replay.plan(TopicPart.all(topic), StartingPoint.at(Instant.now().plusSeconds(3600)));
    replay.execute(plan);

    assertThat(plan.moves()).extracting(ReplayMove::place).containsExactly(topic + "-0");
    try (KafkaReceiver<String, String> service = start(topic, group, this::record)) {
      awaitCommitted(topic, group, 1, Broker.end(topic, 1));
    }
    assertThat(effects).containsExactly("a", "never read");
  }

  @Test
  void a_group_with_members_is_not_moved() throws Exception {
    handled("a");
    KafkaReplay replay = replay();
    ReplayPlan plan = replay.plan(TopicPart.all(topic), StartingPoint.beginning());
    start(topic, group, this::record);
    await().atMost(BOUND).until(() -> !Broker.owners(group).isEmpty());

    assertThatThrownBy(() -> replay.plan(TopicPart.all(topic), StartingPoint.beginning()))
        .isInstanceOf(ReplayRefusedException.class)
        .hasMessageContaining("members");
    assertThatThrownBy(() -> replay.execute(plan)).isInstanceOf(ReplayRefusedException.class);
    assertThat(Broker.committed(group, topic, 0)).isEqualTo(1);
  }

  @Test
  void a_group_that_moved_since_the_plan_is_not_moved() throws Exception {
    handled("a", "b");
    KafkaReplay replay = replay();
    ReplayPlan plan = replay.plan(TopicPart.all(topic), StartingPoint.beginning());
    Broker.commit(group, topic, 0, 1);

    assertThatThrownBy(() -> replay.execute(plan))
        .isInstanceOf(ReplayRefusedException.class)
        .hasMessageContaining("has moved");
    assertThat(Broker.committed(group, topic, 0)).isEqualTo(1);
  }

  @Test
  void a_group_or_a_topic_that_does_not_exist_is_named() throws Exception {
    handled("a");
    KafkaReplay unknown = open(KafkaReplay.of(Broker.consumer("nobody-at-all"), "nobody-at-all"));

    assertThatThrownBy(() -> unknown.plan(TopicPart.all(topic), StartingPoint.beginning()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("group nobody-at-all does not exist");
    assertThatThrownBy(
            () -> replay().plan(TopicPart.all("no-such-topic"), StartingPoint.beginning()))
        .hasMessage("topic no-such-topic does not exist");
    String other = Broker.topic(1);
    assertThatThrownBy(() -> replay().plan(TopicPart.all(other), StartingPoint.beginning()))
        .isInstanceOf(ReplayRefusedException.class)
        .hasMessageContaining("no committed offset");
  }
}
