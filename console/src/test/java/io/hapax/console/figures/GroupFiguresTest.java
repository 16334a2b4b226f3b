package io.hapax.console.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.console.view.Figure;
import io.hapax.console.view.ProblemRow;
import io.hapax.errors.AuditFailedException;
import io.hapax.operations.replay.GroupStatus;
import io.hapax.operations.text.Text;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that the broker adds figures, and delays no reading for long. */
@Timeout(60)
class GroupFiguresTest {

  private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");

  private final Figures.Snapshot others = new Figures.Snapshot(
      List.of(figure("lag", OptionalLong.empty()), figure("problems", OptionalLong.of(0))),
      List.of());
  private final BrokerGroup group = new BrokerGroup();
  private final GroupFigures figures = new GroupFigures(() -> others, group, "billing", () -> NOW);

  /** A group whose broker answers, hangs or fails. */
  private static final class BrokerGroup implements GroupFigures.Group {

    volatile Optional<GroupStatus> answer = Optional.of(new GroupStatus(7, 2));
    final CountDownLatch hanging = new CountDownLatch(1);
    final AtomicBoolean hangs = new AtomicBoolean();
    final AtomicBoolean fails = new AtomicBoolean();
    final CountDownLatch closed = new CountDownLatch(1);

    @Override
    public Optional<GroupStatus> status() throws InterruptedException {
      if (hangs.get()) {
        hanging.await();
      }
      if (fails.get()) {
        throw new AuditFailedException("the brokers have not answered");
      }
      return answer;
    }

    @Override
    public void close() {
      closed.countDown();
    }
  }

  @AfterEach
  void close() throws InterruptedException {
    figures.close();
    assertThat(group.closed.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(figures.read().figures()).isEqualTo(others.figures());
  }

  private static Figure figure(String name, OptionalLong value) {
    return new Figure(name, value, true, false);
  }

  private OptionalLong value(String name) {
    List<Figure> found = figures.read().figures().stream()
        .filter(figure -> figure.name().equals(name))
        .toList();
    assertThat(found).hasSizeLessThan(2);
    return found.isEmpty() ? OptionalLong.empty() : found.get(0).value();
  }

  @Test
  void lag_and_members_of_the_group_are_added() {
    assertThat(value("lag")).hasValue(7);
    assertThat(value("live")).hasValue(2);
    assertThat(value("problems")).hasValue(0);
  }

  @Test
  void without_an_answer_the_other_figures_are_shown() {
    group.hangs.set(true);
    long begin = System.nanoTime();
    Figures.Snapshot without = figures.read();
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(6));
    assertThat(without.problems())
        .containsExactly(
            new ProblemRow("BROKER", "billing", NOW, Text.of("no-answer", Duration.ofSeconds(3))));
    assertThat(without.answered()).containsEntry("BROKER", NOW);
    begin = System.nanoTime();
    assertThat(figures.read().problems()).as("it still hangs").hasSize(1);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(2));

    group.hanging.countDown();
    await().untilAsserted(() -> assertThat(value("lag")).hasValue(7));
  }

  @Test
  void a_failure_is_a_problem_until_the_broker_answers() {
    group.fails.set(true);
    assertThat(figures.read().problems())
        .containsExactly(new ProblemRow(
            "BROKER", "billing", NOW, Text.of("failed.broker", "the brokers have not answered")));
    assertThat(value("problems")).hasValue(1);
    assertThat(value("lag")).isEmpty();

    group.fails.set(false);
    assertThat(value("lag")).hasValue(7);
    assertThat(value("problems")).hasValue(0);
  }

  @Test
  void a_group_without_known_topics_adds_nothing() {
    group.answer = Optional.empty();
    assertThat(figures.read().figures()).isEqualTo(others.figures());
  }
}
