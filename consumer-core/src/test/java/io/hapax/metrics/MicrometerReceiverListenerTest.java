package io.hapax.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.DeadLetter;
import io.hapax.OutcomeProbe;
import io.hapax.ReceiverListener;
import io.hapax.StaleMarks;
import io.hapax.adapter.Outcome;
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
import io.hapax.policy.ConflictPolicy;
import io.hapax.policy.TooOldPolicy;
import io.hapax.store.StoreLoss;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each event is counted once, by its own meter. */
class MicrometerReceiverListenerTest {

  private static final MessageKey KEY = MessageKey.of("billing", "order-17");

  private final MockClock clock = new MockClock();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
  private final MicrometerReceiverListener listener =
      new MicrometerReceiverListener(registry, "billing");

  private double count(String name, String... tags) {
    return registry.get(name).tag("consumer", "billing").tags(tags).counter().count();
  }

  /** The meters that have counted anything, with their tags but that of the consumer. */
  private Set<String> counted() {
    return registry.getMeters().stream()
        .filter(meter -> meter.measure().iterator().next().getValue() > 0)
        .map(Meter::getId)
        .map(id -> id.getName()
            + id.getTags().stream()
                .filter(tag -> !tag.getKey().equals("consumer"))
                .map(Tag::toString)
                .toList())
        .collect(Collectors.toSet());
  }

  @Test
  void all_meters_are_zero_before_any_event() {
    assertThat(registry.getMeters()).isNotEmpty();
    assertThat(counted()).isEmpty();
  }

  @Test
  void outcomes_are_counted_apart() {
    listener.onOutcome("orders-0@1", new Outcome.Executed(7, 1));
    listener.onOutcome("orders-0@2", new Outcome.Duplicate());
    listener.onOutcome("orders-0@2", new Outcome.Duplicate());
    listener.onOutcome("orders-0@3", new Outcome.DeadLettered("too often"));
    listener.onOutcome("orders-0@4", new Outcome.Dropped("another payload"));

    assertThat(count("hapax.outcomes", "outcome", "executed")).isEqualTo(1);
    assertThat(count("hapax.outcomes", "outcome", "duplicate")).isEqualTo(2);
    assertThat(count("hapax.outcomes", "outcome", "dead")).isEqualTo(1);
    assertThat(count("hapax.outcomes", "outcome", "dropped")).isEqualTo(1);
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

  @Test
  void messages_too_old_to_judge_are_counted() {
    listener.onTooOldToJudge(KEY, Duration.ofDays(9), TooOldPolicy.PROCESS);

    assertThat(counted()).containsExactly("hapax.too.old[tag(policy=process)]");
  }

  @Test
  void a_takeover_is_counted_apart_from_a_retry_in_doubt() {
    listener.onRecovery(KEY, acquired(ClaimAnswer.Kind.TAKEOVER));
    listener.onRecovery(KEY, acquired(ClaimAnswer.Kind.RETRY));

    assertThat(counted())
        .containsExactlyInAnyOrder(
            "hapax.recoveries[tag(kind=takeover)]", "hapax.recoveries[tag(kind=in_doubt)]");
  }

  private static ClaimAnswer.Acquired acquired(ClaimAnswer.Kind kind) {
    Attempt attempt = new Attempt(2, true, true, true);
    Claim claim = new Claim(KEY, new Nonce(1, 2), 7, attempt, Fingerprint.NONE, Origin.NONE);
    return new ClaimAnswer.Acquired(claim, kind, Instant.EPOCH, Optional.empty());
  }

  @Test
  void the_answers_of_the_downstream_are_counted_apart() {
    listener.onProbed(KEY, OutcomeProbe.Answer.APPLIED);
    listener.onProbed(KEY, OutcomeProbe.Answer.NOT_APPLIED);
    listener.onProbed(KEY, OutcomeProbe.Answer.unknown("503"));

    assertThat(counted())
        .containsExactlyInAnyOrder(
            "hapax.probes[tag(answer=applied)]",
            "hapax.probes[tag(answer=not_applied)]",
            "hapax.probes[tag(answer=unknown)]");
  }

  @Test
  void what_must_not_happen_often_has_a_counter_of_its_own() {
    listener.onConflict(KEY, "orders-0@1", ConflictPolicy.Decision.DEAD_LETTER);
    listener.onMissingId("orders-0@1");
    listener.onFenced(KEY, 7);
    listener.onMarkLost(KEY, 7);
    listener.onStoreError("claim", new IllegalStateException());
    listener.onStoreDataLost(new StoreLoss("node 1", StoreLoss.Extent.LATEST));
    listener.onStoreMarksForgotten(3);
    listener.onGenerationMoved(0, 1);

    assertThat(count("hapax.marks.forgotten")).isEqualTo(3);
    assertThat(counted())
        .containsExactlyInAnyOrder(
            "hapax.conflicts[]",
            "hapax.missing.ids[]",
            "hapax.fenced[]",
            "hapax.marks.lost[]",
            "hapax.generation.moved[]",
            "hapax.marks.forgotten[]",
            "hapax.store.errors[]",
            "hapax.store.losses[tag(extent=latest)]");
  }

  @Test
  void a_call_of_the_handler_is_timed_with_its_messages_and_its_result() {
    listener.onHandlerCall(new ReceiverListener.HandlerCall(
        List.of(KEY, MessageKey.of("billing", "b")), millis(30), Optional.empty()));
    listener.onHandlerCall(new ReceiverListener.HandlerCall(
        List.of(KEY), millis(50), Optional.of(new IllegalStateException())));

    assertThat(registry
            .get("hapax.handler.calls")
            .tag("result", "ok")
            .timer()
            .totalTime(TimeUnit.MILLISECONDS))
        .isEqualTo(30);
    assertThat(registry
            .get("hapax.handler.calls")
            .tag("result", "failed")
            .timer()
            .totalTime(TimeUnit.MILLISECONDS))
        .isEqualTo(50);
    assertThat(registry.get("hapax.handler.messages").summary().totalAmount()).isEqualTo(3);
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
