package io.hapax.console.meters;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.console.figures.Figures;
import io.hapax.console.view.DuplicatesView.Bucket;
import io.hapax.console.view.Figure;
import io.hapax.health.PartitionStatus;
import io.hapax.health.Problem;
import io.hapax.mark.Bytes;
import io.hapax.mark.MessageKey;
import io.hapax.metrics.MicrometerPartitions;
import io.hapax.metrics.MicrometerReceiverListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Tests the figures of a console within an application. */
class MeterFiguresTest {

  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final List<Problem> problems = new ArrayList<>();
  private final Figures figures =
      new MeterFigures(registry, "billing", () -> problems, Duration.ofDays(4));

  private OptionalLong value(String name) {
    return figures.read().figures().stream()
        .filter(figure -> figure.name().equals(name))
        .map(Figure::value)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void nothing_is_known_of_a_consumer_without_meters() {
    assertThat(value("executed")).isEmpty();
    assertThat(value("lag")).isEmpty();
    assertThat(value("stale")).isEmpty();
    assertThat(figures.duplicates()).isEqualTo(Figures.Duplicates.UNKNOWN);
    assertThat(figures.conflicts()).isEmpty();
    assertThat(value("problems")).hasValue(0);
  }

  @Test
  void the_outcomes_of_this_consumer_are_counted() {
    var other = new MicrometerReceiverListener(registry, "shipping");
    other.onOutcome("orders-0@1", new Outcome.Executed(1, 1, Bytes.EMPTY));
    var listener = new MicrometerReceiverListener(registry, "billing");
    listener.onOutcome("orders-0@1", new Outcome.Executed(1, 1, Bytes.EMPTY));
    listener.onOutcome("orders-0@2", new Outcome.Executed(2, 1, Bytes.EMPTY));
    listener.onOutcome("orders-0@3", new Outcome.Duplicate(Bytes.EMPTY));
    listener.onOutcome(
        "orders-0@4", new Outcome.Deferred(Outcome.Reason.BUSY, Duration.ofSeconds(1), ""));
    listener.onOutcome("orders-0@5", new Outcome.DeadLettered("no price"));
    problems.add(new Problem(Problem.Kind.STORE, "billing", Instant.EPOCH, "it is down"));

    assertThat(value("executed")).hasValue(2);
    assertThat(value("duplicates")).hasValue(1);
    assertThat(value("busy")).hasValue(1);
    assertThat(value("dead")).hasValue(1);
    assertThat(value("takeovers")).hasValue(0);
    assertThat(value("problems")).hasValue(1);
    assertThat(figures.read().problems().get(0).text()).hasToString("it is down");
    assertThat(figures.duplicates().messages()).hasValue(3);
    assertThat(figures.conflicts()).hasValue(0);
    assertThat(value("stale")).as("not counted yet").isEmpty();
  }

  @Test
  void lag_is_what_is_not_read_and_what_is_not_committed() {
    MicrometerPartitions.bind(
        registry,
        "billing",
        () -> List.of(
            new PartitionStatus("orders-0", 3, 0, Optional.empty(), 5, OptionalLong.of(70))));

    assertThat(value("lag")).hasValue(75);
    assertThat(value("inflight")).hasValue(3);
  }

  @Test
  void ages_of_duplicates_are_compared_with_the_window() {
    var listener = new MicrometerReceiverListener(registry, "billing");
    MessageKey key = MessageKey.of("billing", "order-17");
    Instant now = Instant.ofEpochMilli(registry.config().clock().wallTime());
    listener.onDuplicate(key, now);
    listener.onDuplicate(key, now.minus(Duration.ofMinutes(30)));
    listener.onDuplicate(key, now.minus(Duration.ofDays(7)));

    assertThat(figures.duplicates().ages())
        .contains(
            new Bucket(Duration.ofMinutes(1), 1, false),
            new Bucket(Duration.ofHours(1), 1, false),
            new Bucket(Duration.ofDays(4), 0, false),
            new Bucket(Duration.ofDays(8), 1, true));
  }
}
