package io.hapax.metrics;

import static io.hapax.mark.ClaimAnswer.Kind.RETRY;
import static io.hapax.mark.ClaimAnswer.Kind.TAKEOVER;
import static io.hapax.policy.TooOldPolicy.PROCESS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.hapax.DeadLetter;
import io.hapax.OutcomeProbe.Answer;
import io.hapax.ReceiverListener;
import io.hapax.StaleMarks;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.DeadLettered;
import io.hapax.adapter.Outcome.Dropped;
import io.hapax.adapter.Outcome.Duplicate;
import io.hapax.adapter.Outcome.Executed;
import io.hapax.mark.Attempt;
import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.policy.ConflictPolicy.Decision;
import io.hapax.store.StoreLoss;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each event is counted once, by its own meter. */
class MicrometerReceiverListenerTest {

  private static final MessageKey KEY = MessageKey.of("billing", "order-17");
  private static final Duration NINE_DAYS = Duration.ofDays(9);
  private static final StoreLoss LOSS = new StoreLoss("node 1", StoreLoss.Extent.LATEST);

  private final MockClock clock = new MockClock();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
  private final MicrometerReceiverListener listener =
      new MicrometerReceiverListener(registry, "billing");

  private double count(String name, String... tags) {
    return registry.get(name).tag("consumer", "billing").tags(tags).counter().count();
  }

  /** What the meters have counted, with their tags but that of the consumer. */
  private Map<String, Double> counted() {
    return registry.getMeters().stream()
        .filter(meter -> value(meter) > 0)
        .collect(Collectors.toMap(
            meter -> meter.getId().getName()
                + meter.getId().getTags().stream()
                    .filter(tag -> !tag.getKey().equals("consumer"))
                    .toList(),
            MicrometerReceiverListenerTest::value));
  }

  private static double value(Meter meter) {
    return meter.measure().iterator().next().getValue();
  }

  @Test
  void all_meters_are_zero_before_any_event() {
    assertThat(registry.getMeters()).isNotEmpty();
    assertThat(counted()).isEmpty();
  }

  private static Arguments counts(String meter, Consumer<ReceiverListener> event) {
    return arguments(event, "hapax." + meter);
  }

  static Stream<Arguments> events() {
    Exception thrown = new IllegalStateException();
    return Stream.of(
        counts("outcomes[tag(outcome=executed)]", it -> it.onOutcome("p0@1", new Executed(7, 1))),
        counts("outcomes[tag(outcome=duplicate)]", it -> it.onOutcome("p0@1", new Duplicate())),
        counts("outcomes[tag(outcome=dead)]", it -> it.onOutcome("p0@1", new DeadLettered("x"))),
        counts("outcomes[tag(outcome=dropped)]", it -> it.onOutcome("p0@1", new Dropped("x"))),
        counts("too.old[tag(policy=process)]", it -> it.onTooOldToJudge(KEY, NINE_DAYS, PROCESS)),
        counts("recoveries[tag(kind=takeover)]", it -> it.onRecovery(KEY, acquired(TAKEOVER))),
        counts("recoveries[tag(kind=in_doubt)]", it -> it.onRecovery(KEY, acquired(RETRY))),
        counts("probes[tag(answer=applied)]", it -> it.onProbed(KEY, Answer.APPLIED)),
        counts("probes[tag(answer=not_applied)]", it -> it.onProbed(KEY, Answer.NOT_APPLIED)),
        counts("probes[tag(answer=unknown)]", it -> it.onProbed(KEY, Answer.unknown("503"))),
        counts("conflicts[]", it -> it.onConflict(KEY, "p0@1", Decision.DEAD_LETTER)),
        counts("missing.ids[]", it -> it.onMissingId("p0@1")),
        counts("fenced[]", it -> it.onFenced(KEY, 7)),
        counts("marks.lost[]", it -> it.onMarkLost(KEY, 7)),
        counts("store.errors[]", it -> it.onStoreError("claim", thrown)),
        counts("store.losses[tag(extent=latest)]", it -> it.onStoreDataLost(LOSS)),
        counts("generation.moved[]", it -> it.onGenerationMoved(0, 1)));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("events")
  void each_event_is_counted_once_by_its_own_meter(Consumer<ReceiverListener> event, String meter) {
    event.accept(listener);

    assertThat(counted()).isEqualTo(Map.of(meter, 1.0));
  }

  @Test
  void forgotten_marks_are_counted_one_by_one() {
    listener.onStoreMarksForgotten(3);

    assertThat(count("hapax.marks.forgotten")).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource(Outcome.Reason.class)
  void a_deferred_message_is_counted_by_its_reason(Outcome.Reason reason) {
    listener.onOutcome("orders-0@1", new Outcome.Deferred(reason, Duration.ZERO, ""));

    assertThat(count("hapax.outcomes", "outcome", Meters.lowerCase(reason))).isEqualTo(1);
    assertThat(counted()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(DeadLetter.Kind.class)
  void a_dead_letter_is_counted_by_its_kind(DeadLetter.Kind kind) {
    listener.onDeadLetter(
        new DeadLetter<>("message", "orders", "order-17", "orders-0@1", 5, kind, "why", false));

    assertThat(count("hapax.dead.letters", "kind", Meters.lowerCase(kind))).isEqualTo(1);
    assertThat(counted()).hasSize(1);
  }

  private static ClaimAnswer.Acquired acquired(ClaimAnswer.Kind kind) {
    Attempt attempt = new Attempt(2, true, true, true);
    Claim claim = new Claim(KEY, new Nonce(1, 2), 7, attempt, Fingerprint.NONE, Origin.NONE);
    return new ClaimAnswer.Acquired(claim, kind, Instant.EPOCH, Optional.empty());
  }

  @Test
  void a_call_of_the_handler_is_timed_with_its_messages_and_its_result() {
    listener.onHandlerCall(new ReceiverListener.HandlerCall(
        List.of(KEY, MessageKey.of("billing", "b")), millis(30), Optional.empty()));
    listener.onHandlerCall(new ReceiverListener.HandlerCall(
        List.of(KEY), millis(50), Optional.of(new IllegalStateException())));

    assertThat(handlerMillis("ok")).isEqualTo(30);
    assertThat(handlerMillis("failed")).isEqualTo(50);
    assertThat(registry.get("hapax.handler.messages").summary().totalAmount()).isEqualTo(3);
  }

  private double handlerMillis(String result) {
    Timer calls = registry.get("hapax.handler.calls").tag("result", result).timer();
    return calls.totalTime(TimeUnit.MILLISECONDS);
  }

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }

  @Test
  void the_age_of_a_duplicate_is_how_long_ago_it_was_done() {
    clock.add(Duration.ofDays(400));
    Instant now = Instant.ofEpochMilli(clock.wallTime());

    listener.onDuplicate(KEY, now.minus(Duration.ofDays(3)));
    listener.onDuplicate(KEY, now.plusSeconds(1)); // the store's clock is ahead of ours

    assertThat(registry.get("hapax.duplicates.age").timer().totalTime(TimeUnit.DAYS))
        .isEqualTo(3);
    assertThat(registry.get("hapax.duplicates.age").timer().count()).isEqualTo(2);
  }

  private double gauge(String name) {
    return registry.get(name).tag("consumer", "billing").gauge().value();
  }

  private static StaleMarks stale(Instant claimedAt) {
    Claim claim = acquired(ClaimAnswer.Kind.FRESH).claim();
    Mark mark = new Mark(claim, MarkState.PROCESSING, claimedAt, claimedAt, Bytes.EMPTY);
    return new StaleMarks(3, 2, true, Optional.of(mark));
  }

  @Test
  void gauges_show_what_was_counted_last() {
    clock.add(Duration.ofDays(400));
    assertThat(gauge("hapax.marks.stale")).isNaN();

    listener.onStaleMarks(stale(Instant.ofEpochMilli(clock.wallTime())));
    clock.add(Duration.ofMinutes(10));

    assertThat(gauge("hapax.marks.stale")).isEqualTo(3);
    assertThat(gauge("hapax.marks.in.doubt")).isEqualTo(2);
    assertThat(gauge("hapax.marks.stale.age")).isEqualTo(600);

    listener.onStaleMarks(new StaleMarks(0, 0, true, Optional.empty()));
    assertThat(gauge("hapax.marks.stale.age")).isZero();
  }

  @Test
  void a_count_that_failed_leaves_no_old_figure_behind() {
    listener.onStaleMarks(stale(Instant.EPOCH));

    listener.onStoreError("claim", new IllegalStateException());
    assertThat(gauge("hapax.marks.stale")).isEqualTo(3);

    listener.onStoreError("list", new IllegalStateException());
    assertThat(gauge("hapax.marks.stale")).isNaN();
  }

  @Test
  void a_receiver_that_is_opened_again_takes_the_gauges_over() {
    listener.onStaleMarks(stale(Instant.EPOCH));
    MicrometerReceiverListener next = new MicrometerReceiverListener(registry, "billing");

    next.onStaleMarks(new StaleMarks(0, 1, true, Optional.empty()));

    assertThat(gauge("hapax.marks.stale")).isZero();
    assertThat(gauge("hapax.marks.in.doubt")).isEqualTo(1);
  }

  @Test
  void two_consumers_do_not_share_a_meter() {
    new MicrometerReceiverListener(registry, "shipping").onFenced(KEY, 7);

    assertThat(count("hapax.fenced")).isZero();
  }
}
