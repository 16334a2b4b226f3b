package io.hapax.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.hapax.mark.Bytes;
import io.hapax.operations.TestBroker.Sent;
import io.hapax.operations.audit.AuditReport;
import io.hapax.operations.audit.Finding;
import io.hapax.operations.lookup.TopicSearch;
import io.hapax.operations.text.Text;
import io.hapax.operations.topic.AuditProgress;
import io.hapax.operations.topic.FoundMessage;
import io.hapax.operations.topic.ScannedRange;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A topic is audited without a trace. */
@ParameterizedClass
@MethodSource("io.hapax.operations.TestBroker#all")
class TopicAuditTest extends OperationsFixture {

  private final Instant started = Instant.now().minusSeconds(5);

  TopicAuditTest(TestBroker broker) {
    super(broker);
  }

  private AuditReport audit(TopicPart part, StartingPoint from) throws InterruptedException {
    return broker.operations().audit(store, AuditProgress.NONE).run(part, from);
  }

  private AuditReport audit(StartingPoint from) throws InterruptedException {
    return audit(TopicPart.all(topic), from);
  }

  @Test
  void every_count_is_taken_from_the_topic() throws Exception {
    broker.send(topic, 0, "done", "held", "new", "new");
    broker.send(topic, 1, List.of(new Sent("", "no id", Map.of())));
    try (AutoCloseable service = serve(broker.group())) {
      Awaitility.await().atMost(BOUND).until(() -> effects.size() == 3);
      assertThat(service).isNotNull();
    }
    broker.send(topic, 1, List.of(new Sent("done", "another payload", Map.of())));
    broker.send(topic, 1, "unknown", "claimed");
    claim("claimed", "");

    AuditReport report = audit(StartingPoint.beginning());

    assertThat(report.messages()).isEqualTo(8);
    assertThat(report.missingIds()).isEqualTo(1);
    assertThat(report.conflicts()).isEqualTo(1);
    assertThat(report.duplicates()).isEqualTo(1);
    assertThat(report.ids()).isEqualTo(new AuditReport.Ids(5, 3, 1, 0, 0, 0, 1, 0, 0));
    assertThat(report.samples()).anySatisfy(sample -> {
      assertThat(sample.finding()).isEqualTo(Finding.UNKNOWN);
      assertThat(sample.coordinates()).isEqualTo(broker.place(topic, 1) + "@2");
    });
  }

  @Test
  void duplicates_that_differ_in_a_header_but_not_only_in_tracing_are_reported() throws Exception {
    for (String type : List.of("created", "created", "paid")) {
      for (String id : List.of("17", "18")) {
        Map<String, String> headers = Map.of(
            "traceparent",
            UUID.randomUUID().toString(),
            "type",
            id.equals("17") ? type : "created");
        broker.send(topic, 0, List.of(new Sent(id, "order", headers)));
      }
    }

    AuditReport report = audit(StartingPoint.beginning());

    assertThat(report.duplicates()).isEqualTo(4);
    assertThat(report.otherHeaders())
        .isEqualTo(new AuditReport.OtherHeaders(
            1, List.of(Text.of("sample.place", "17", broker.place(topic, 0) + "@4"))));
  }

  @Test
  void the_messages_of_one_id_are_found_with_their_places_and_the_offsets_of_the_group()
      throws Exception {
    broker.send(topic, 0, "a", "b", "a");
    broker.send(topic, 1, "ab", "a");
    String group = broker.group();
    broker.commit(group, topic, 0, 2);

    TopicSearch found = TopicSearch.run(
        broker.operations(), store, topic, group, Bytes.utf8("a"), AuditProgress.NONE);

    assertThat(found.messages())
        .extracting(FoundMessage::coordinates, found::acknowledged)
        .containsExactlyInAnyOrder(
            tuple(broker.place(topic, 0) + "@0", Optional.of(true)),
            tuple(broker.place(topic, 0) + "@2", Optional.of(false)),
            tuple(broker.place(topic, 1) + "@1", Optional.empty()));
    assertThat(found.messages())
        .allSatisfy(it -> assertThat(it.sentAt()).isBetween(started, Instant.now()));
  }

  @Test
  void an_audit_leaves_no_group_and_moves_no_offset() throws Exception {
    broker.send(topic, 0, "a", "b");
    String group = broker.group();
    broker.commit(group, topic, 0, 1);
    Set<String> before = broker.groups();

    audit(StartingPoint.beginning());

    assertThat(broker.groups()).isEqualTo(before);
    assertThat(broker.committed(group, topic, 0)).isEqualTo(1);
    assertThat(broker.committed(group, topic, 1)).isEqualTo(-1);
  }

  @Test
  void it_ends_where_the_topic_ended_when_it_began() throws Exception {
    broker.send(topic, 0, "a", "b");
    List<Long> progress = new ArrayList<>();
    AuditProgress sending = (done, all) -> {
      if (progress.isEmpty()) {
        sendQuietly("late");
      }
      progress.add(all);
    };

    AuditReport report = broker
        .operations()
        .audit(store, sending)
        .run(TopicPart.all(topic), StartingPoint.beginning());

    assertThat(report.messages()).isEqualTo(2);
    assertThat(progress).containsOnly(2L);
    assertThat(broker.read(topic, 0)).hasSize(3);
  }

  private void sendQuietly(String id) {
    try {
      broker.send(topic, 0, id);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void it_begins_at_an_offset_or_with_the_newest_and_may_read_one_part() throws Exception {
    broker.send(topic, 0, "a", "b", "c");
    broker.send(topic, 1, "d");
    TopicPart first = new TopicPart(topic, Set.of(0));

    assertThat(audit(first, StartingPoint.beginning()).messages()).isEqualTo(3);
    assertThat(audit(first, new StartingPoint.Offset(2)).messages()).isEqualTo(1);
    assertThat(audit(new StartingPoint.Time(Instant.EPOCH)).messages()).isEqualTo(4);
    assertThat(audit(new StartingPoint.Time(Instant.now().plus(Duration.ofHours(1))))
            .messages())
        .isZero();
    assertThat(audit(new StartingPoint.Newest(2)).ranges())
        .extracting(ScannedRange::place, ScannedRange::from, ScannedRange::to)
        .containsExactly(
            tuple(broker.place(topic, 0), 1L, 3L), tuple(broker.place(topic, 1), 0L, 1L));
    assertThatThrownBy(() -> audit(new StartingPoint.Offset(2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(broker.place(topic, 1) + " ends at 1");
  }

  @Test
  void it_begins_between_two_messages() throws Exception {
    broker.send(topic, 0, "a");
    Instant between = Instant.now().plusMillis(2);
    Awaitility.await().atMost(BOUND).until(() -> Instant.now().isAfter(between));
    broker.send(topic, 0, "b");

    assertThat(audit(new StartingPoint.Time(between)).samples())
        .singleElement()
        .satisfies(sample -> assertThat(sample.id()).isEqualTo("b"));
  }

  @Test
  void a_topic_that_does_not_exist_is_named_and_not_made() {
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> audit(TopicPart.all("no-such-topic"), StartingPoint.beginning()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("topic no-such-topic does not exist");
    }
    assertThatThrownBy(() -> audit(new TopicPart(topic, Set.of(7)), StartingPoint.beginning()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(" 7 of topic " + topic + " does not exist");
  }
}
