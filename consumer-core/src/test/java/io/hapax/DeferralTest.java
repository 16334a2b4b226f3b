package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.errors.DeferredException;
import io.hapax.mark.Attempt;
import io.hapax.mark.MarkState;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Handlers in leased mode that defer their message. */
class DeferralTest extends FaultFixture {

  private static final Duration WAIT = Duration.ofMinutes(10);
  private static final RetrySettings RETRY =
      new RetrySettings(3, Duration.ofMinutes(1), Duration.ofMinutes(10));

  private final List<List<String>> calls = new CopyOnWriteArrayList<>();

  private IdempotentReceiver<String> deferring(ReceiverBuilder<String> builder) {
    return open(builder.leased(marks, delivery -> {
      effects.add(delivery.message());
      if (delivery.message().startsWith("later")) {
        throw new DeferredException(WAIT, "its order is not there yet");
      }
    }));
  }

  private Attempt attempt(String id) {
    return mark(id).claim().attempt();
  }

  @Test
  void a_deferral_uses_no_attempt_leaves_no_doubt_and_waits_as_requested() throws Exception {
    Instant before = clock.instant().minusMillis(1); // stores count microseconds

    Outcome outcome =
        deferring(builder()).receive(lane("p0", "later"), PATIENCE).get(0);

    assertThat(outcome).isInstanceOfSatisfying(Deferred.class, it -> {
      assertThat(it.reason()).isEqualTo(Reason.DEFERRED);
      assertThat(it.after()).isEqualTo(WAIT);
      assertThat(it.detail()).contains("its order is not there yet");
    });
    assertThat(mark("later").state()).isEqualTo(MarkState.RETRY);
    assertThat(mark("later").until())
        .isBetween(before.plus(WAIT), before.plus(WAIT).plusSeconds(5));
    assertThat(attempt("later").number()).isZero();
    assertThat(attempt("later").inDoubt()).isFalse();
  }

  @Test
  void a_deferral_stops_its_lane_and_no_other() throws Exception {
    IdempotentReceiver<String> receiver = deferring(builder());

    List<Outcome> outcomes =
        receiver.receive(both(lane("p0", "a", "later", "b"), lane("p1", "c")), PATIENCE);

    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Executed.class);
    assertThat(reason(outcomes.get(1))).isEqualTo(Reason.DEFERRED);
    assertThat(reason(outcomes.get(2))).isEqualTo(Reason.BLOCKED);
    assertThat(outcomes.get(3)).isInstanceOf(Outcome.Executed.class);
    assertThat(effects).containsExactlyInAnyOrder("a", "later", "c");
    assertThat(receiver.health().waiting())
        .singleElement()
        .satisfies(it -> assertThat(it.reason()).isEqualTo(Reason.DEFERRED));
  }

  @Test
  void deferrals_beyond_the_limit_are_failed_attempts_up_to_dead_lettering() throws Exception {
    IdempotentReceiver<String> receiver =
        deferring(builder().retry(RETRY.withMaxDeferral(Duration.ofMinutes(15))));
    List<Reason> reasons = new ArrayList<>();

    Outcome outcome = receiveOne(receiver, "later");
    while (outcome instanceof Deferred deferred) {
      reasons.add(deferred.reason());
      clock.advance(deferred.after());
      outcome = receiveOne(receiver, "later");
    }

    assertThat(reasons).containsExactly(Reason.DEFERRED, Reason.RETRY, Reason.RETRY);
    assertThat(buried).singleElement().satisfies(it -> {
      assertThat(it.kind()).isEqualTo(DeadLetter.Kind.ATTEMPTS_EXHAUSTED);
      assertThat(it.inDoubt()).isFalse();
    });
  }

  @Test
  void a_deferral_for_ever_is_a_failed_attempt_after_a_short_one_too() throws Exception {
    Queue<Duration> waits = new ArrayDeque<>(List.of(WAIT, ChronoUnit.FOREVER.getDuration()));
    IdempotentReceiver<String> receiver = open(builder().leased(marks, delivery -> {
      throw new DeferredException(waits.remove());
    }));
    assertThat(reason(receiveOne(receiver, "a"))).isEqualTo(Reason.DEFERRED);
    clock.advance(WAIT);

    assertThat(reason(receiveOne(receiver, "a"))).isEqualTo(Reason.RETRY);
    assertThat(attempt("a").number()).isEqualTo(1);
  }

  @Test
  void with_a_limit_of_zero_every_deferral_is_a_failed_attempt() throws Exception {
    IdempotentReceiver<String> receiver =
        deferring(builder().retry(RETRY.withMaxDeferral(Duration.ZERO)));

    Outcome outcome = receiveOne(receiver, "later");

    assertThat(reason(outcome)).isEqualTo(Reason.RETRY);
    assertThat(attempt("later").number()).isEqualTo(1);
  }

  @Test
  void the_limit_counts_across_receivers() throws Exception {
    RetrySettings fifteenMinutes = RETRY.withMaxDeferral(Duration.ofMinutes(15));
    deferring(builder().retry(fifteenMinutes)).receive(lane("p0", "later"), PATIENCE);
    clock.advance(WAIT);

    Outcome outcome = deferring(builder().retry(fifteenMinutes))
        .receive(lane("p0", "later"), PATIENCE)
        .get(0);

    assertThat(reason(outcome)).isEqualTo(Reason.RETRY);
  }

  private IdempotentReceiver<String> batches(RuntimeException thrown) {
    return open(builder().leasedBatches(marks, deliveries -> {
      calls.add(deliveries.stream().map(Delivery::message).toList());
      if (calls.size() == 1) {
        throw thrown;
      }
    }));
  }

  @Test
  void a_deferred_batch_uses_no_attempts_and_its_messages_then_run_alone() throws Exception {
    IdempotentReceiver<String> receiver = batches(new DeferredException(WAIT));

    List<Outcome> first = receive(receiver, "a", "b");
    clock.advance(WAIT);
    List<Outcome> second = receive(receiver, "a", "b");

    assertThat(first).extracting(FaultFixture::reason).containsOnly(Reason.DEFERRED);
    assertThat(second).allMatch(Outcome.Executed.class::isInstance);
    assertThat(((Outcome.Executed) second.get(1)).attempt()).isEqualTo(1);
    assertThat(calls).containsExactly(List.of("a", "b"), List.of("a"), List.of("b"));
  }
}
