package io.hapax.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.mark.MarkState;
import io.hapax.mark.Verdict;
import io.hapax.operations.TestBroker.Sent;
import io.hapax.operations.redrive.DeadLetterSelection;
import io.hapax.operations.redrive.RedriveControl;
import io.hapax.operations.redrive.RedriveFailedException;
import io.hapax.operations.redrive.RedriveReport;
import io.hapax.operations.redrive.RedriveResult.NotDead;
import io.hapax.operations.redrive.RedriveResult.Refused;
import io.hapax.operations.redrive.RedriveSample;
import io.hapax.operations.redrive.RedriveSettings;
import io.hapax.operations.redrive.Redriver;
import io.hapax.operations.text.Text;
import io.hapax.operations.topic.ScannedRange;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Dead letters come back when an operator asks for it, and still take effect once. */
@ParameterizedClass
@MethodSource("io.hapax.operations.TestBroker#all")
class DeadLetterRedriveTest extends OperationsFixture {

  private final String letters;

  DeadLetterRedriveTest(TestBroker broker) {
    super(broker);
    this.letters = broker.topic(1);
  }

  private RedriveReport plan(RedriveSettings settings) throws InterruptedException {
    return redriver()
        .plan(
            TopicPart.all(letters), StartingPoint.beginning(), DeadLetterSelection.all(), settings);
  }

  private RedriveReport redrive(RedriveSettings settings) throws InterruptedException {
    return redrive(redriver(), letters, settings);
  }

  @Test
  void a_dead_letter_runs_again_where_it_came_from_with_fresh_attempts() throws Exception {
    bury(letters, new Sent("poison", "body", Map.of("tenant", "acme")), 1);
    bury(letters, new Sent("other"), 1);
    DeadLetterSelection poison = DeadLetterSelection.of(List.of("poison"));
    RedriveSettings settings = RedriveSettings.to(topic);
    TopicPart all = TopicPart.all(letters);

    List<Long> reached = new ArrayList<>();
    RedriveControl following = new RedriveControl() {
      @Override
      public void at(long done, long records) {
        assertThat(records).isEqualTo(2);
        reached.add(done);
      }
    };
    assertThat(plan(settings.controlledBy(following)).published()).isEqualTo(2);
    assertThat(reached).as("the progress").endsWith(2L);
    assertThat(mark("poison").state()).as("a plan changes nothing").isEqualTo(MarkState.DEAD);
    assertThat(broker.read(topic, 1)).isEmpty();
    RedriveReport report = redriver().redrive(all, StartingPoint.beginning(), poison, settings);

    assertThat(report.published()).isEqualTo(1);
    assertThat(report.complete()).isTrue();
    assertThat(broker.read(topic, 1, 1))
        .containsExactly(new Sent("poison", "body", Map.of("tenant", "acme")));
    assertThat(mark("poison").claim().attempt().number()).isZero();
    serve(broker.group());
    await().atMost(BOUND).until(() -> mark("poison").state() == MarkState.DONE);
    assertThat(effects).containsExactly("body");
    assertThat(mark("other").state()).isEqualTo(MarkState.DEAD);
    assertThat(
            redriver().redrive(all, StartingPoint.beginning(), poison, settings).samples())
        .extracting(RedriveSample::answer)
        .containsExactly(new NotDead(Text.of("mark.done")));
    assertThat(plan(settings).records()).as("they stay there").isEqualTo(2);
  }

  @Test
  void a_topic_that_is_deleted_during_a_redrive_keeps_the_marks_of_the_rest() throws Exception {
    bury(letters, new Sent("a"), 0);
    bury(letters, new Sent("b"), 0);
    RedriveControl deleting = new RedriveControl() {
      @Override
      public void taken(RedriveSample sample) {
        if (sample.record().name().equals("a")) {
          assertThatCode(() -> broker.delete(topic)).doesNotThrowAnyException();
        }
      }
    };

    RedriveReport report = redrive(RedriveSettings.to(topic).controlledBy(deleting));

    assertThat(report.published()).isEqualTo(1);
    assertThat(report.samples())
        .filteredOn(sample -> sample.record().name().equals("b"))
        .singleElement()
        .satisfies(sample ->
            assertThat(sample.answer().why().toString()).contains("does not exist any more"));
    assertThat(mark("b").state()).isEqualTo(MarkState.DEAD);
  }

  @Test
  void a_plan_reads_from_its_beginning_and_shows_how_old_each_record_is() throws Exception {
    bury(letters, new Sent("a"), 0);
    bury(letters, new Sent("b"), 0);

    RedriveReport plan = redriver()
        .plan(
            TopicPart.all(letters),
            new StartingPoint.Offset(1),
            DeadLetterSelection.all(),
            RedriveSettings.to(topic));

    assertThat(plan.ranges()).containsExactly(new ScannedRange(broker.place(letters, 0), 1, 2));
    assertThat(plan.samples()).singleElement().satisfies(sample -> {
      assertThat(sample.record().name()).isEqualTo("b");
      assertThat(sample.age())
          .hasValueSatisfying(
              age -> assertThat(age).isBetween(Duration.ZERO, Duration.ofMinutes(2)));
    });
  }

  @Test
  void a_record_does_not_choose_the_topic_that_it_is_published_to() throws Exception {
    bury(letters, new Sent("a"), 0);

    assertThat(answers(letters, RedriveSettings.to("elsewhere")))
        .containsExactly(
            "it came from topic " + topic + ", but only elsewhere may be published to");
    assertThat(broker.read(topic, 0)).isEmpty();
    assertThat(mark("a").state()).isEqualTo(MarkState.DEAD);
  }

  @Test
  void a_record_of_a_missing_topic_is_refused_and_its_mark_is_kept() throws Exception {
    bury(letters, new Sent("a"), 0);
    String gone = "gone-" + topic;
    broker.bury(
        letters,
        letter(new Sent("a"), broker.place(topic, 0).replace(topic, gone) + "@0"),
        gone,
        Map.of());
    broker.send(letters, 0, "wordless");

    assertThat(answers(letters, RedriveSettings.to(gone)).subList(1, 3))
        .containsExactly(
            "its topic " + gone + " does not exist any more",
            "it does not name the place of its message");
    assertThat(mark("a").state()).isEqualTo(MarkState.DEAD);
  }

  @Test
  void a_record_without_a_mark_is_refused_unless_that_is_accepted() throws Exception {
    buryUnmarked(letters, new Sent("a"), 0);

    RedriveReport report = redrive(RedriveSettings.to(topic));
    assertThat(report.unmarked()).isEqualTo(1);
    assertThat(report.samples())
        .extracting(RedriveSample::answer)
        .containsExactly(new Refused(Text.of("record.unmarked"), true));
    assertThat(broker.read(topic, 0)).isEmpty();

    assertThat(redrive(RedriveSettings.to(topic).acceptingUnmarked()).published())
        .isEqualTo(1);
    assertThat(broker.read(topic, 0, 1)).containsExactly(new Sent("a"));
  }

  @Test
  void a_record_that_does_not_hold_its_whole_message_is_refused() throws Exception {
    settle("a", new Verdict.Dead("why"));
    broker.bury(
        letters, letter(new Sent("a"), first(0)), topic, Map.of("hapax-body-bytes", "100000"));
    broker.bury(
        letters,
        letter(new Sent("a", "body", Map.of("tenant", "acme")), first(0)),
        topic,
        Map.of("hapax-left-out", "trace,tenant"));

    List<String> answers = answers(letters, RedriveSettings.to(topic));

    assertThat(answers.get(0)).startsWith("it holds only a part of its ").endsWith("100000 bytes");
    assertThat(answers.get(1)).startsWith("it does not hold the ").endsWith(" [trace]");
    assertThat(mark("a").state()).isEqualTo(MarkState.DEAD);
    assertThat(broker.read(topic, 0)).isEmpty();
  }

  @Test
  void a_message_that_the_broker_refuses_is_reopened_and_to_be_redriven_again() throws Exception {
    bury(letters, new Sent("a"), 0);
    broker.refuse(topic, true);

    assertThatThrownBy(() -> redrive(RedriveSettings.to(topic)))
        .isInstanceOf(RedriveFailedException.class)
        .hasMessageContaining("its mark is reopened: redrive it again");
    assertThat(mark("a").state()).as("reopened first").isEqualTo(MarkState.RETRY);
    assertThat(broker.read(topic, 0)).isEmpty();

    broker.refuse(topic, false);
    assertThat(redrive(RedriveSettings.to(topic)).published()).isEqualTo(1);
    assertThat(broker.read(topic, 0, 1)).containsExactly(new Sent("a"));
  }

  @Test
  void a_missing_record_and_a_missing_dead_letter_topic_are_named() throws Exception {
    bury(letters, new Sent("a"), 0);
    Redriver redriver = redriver();
    RedriveSettings settings = RedriveSettings.to(topic);

    assertThat(redriver
            .redrive(
                TopicPart.all(letters),
                StartingPoint.beginning(),
                DeadLetterSelection.of(List.of("gone")),
                settings)
            .missing())
        .containsExactly("gone");
    assertThatThrownBy(() -> redriver.plan(
            TopicPart.all("no-such-topic"),
            StartingPoint.beginning(),
            DeadLetterSelection.all(),
            settings))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("topic no-such-topic does not exist");
  }
}
