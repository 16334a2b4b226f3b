package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.internal.Engine;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.MarkState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How much of a lease must be left when a handler starts; the clock is the test's own. */
@DisplayName(
    "invariant 2: a handler starts with the safety margin of its lease left, or not at all")
class LeaseMarginTest extends FaultFixture {

  private static final LeaseSettings LEASE =
      new LeaseSettings(Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(5));

  private final AtomicLong nanos = new AtomicLong();

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private List<Outcome> afterASlowFirst(Duration slow) throws Exception {
    Engine<String> engine = engine(LEASE, nanos::get, marks, delivery -> {
      effects.add(delivery.message());
      if (delivery.message().equals("slow")) {
        pass(slow);
      }
    });
    return engine.receive(lane("p0", "slow", "late", "behind"), PATIENCE);
  }

  @Test
  void a_claim_with_less_than_the_margin_left_at_its_turn_is_given_back() throws Exception {
    List<Outcome> outcomes = afterASlowFirst(Duration.ofSeconds(26));

    assertThat(effects).containsExactly("slow");
    assertThat(reason(outcomes.get(1))).isEqualTo(Outcome.Reason.LEASE_LOST);
    assertThat(reason(outcomes.get(2))).isEqualTo(Outcome.Reason.BLOCKED);
    assertThat(mark("late").state()).isEqualTo(MarkState.RETRY);
    assertThat(mark("late").claim().attempt().number()).isZero();
  }

  @Test
  void a_claim_with_the_margin_left_at_its_turn_runs() throws Exception {
    assertThat(afterASlowFirst(Duration.ofSeconds(25))).allMatch(Outcome::mayAcknowledge);
  }

  @Test
  void a_lease_counts_from_before_its_claim_was_sent() throws Exception {
    Fault slowClaim = (verb, items, call) -> {
      if (verb.equals("claim")) {
        pass(Duration.ofSeconds(26));
      }
      return call.go();
    };
    Engine<String> engine =
        engine(LEASE, nanos::get, faulty(slowClaim), delivery -> effects.add(delivery.message()));

    List<Outcome> outcomes = engine.receive(lane("p0", "a"), PATIENCE);

    assertThat(effects).isEmpty();
    assertThat(reason(outcomes.get(0))).isEqualTo(Outcome.Reason.LEASE_LOST);
  }

  @Test
  void a_claim_with_too_little_left_does_not_join_the_call_of_another() throws Exception {
    AtomicBoolean away = new AtomicBoolean(true);
    Fault firstShardLate = (verb, items, call) -> {
      if (!verb.equals("claim") || !away.getAndSet(false)) {
        return call.go();
      }
      List<Object> answers = new ArrayList<>((List<?>) call.go());
      answers.set(0, new ClaimAnswer.Unavailable("the shard of the first"));
      pass(Duration.ofSeconds(26));
      return answers;
    };
    List<List<String>> calls = new CopyOnWriteArrayList<>();
    Engine<String> engine = batchEngine(
        LEASE,
        nanos::get,
        faulty(firstShardLate),
        deliveries -> calls.add(deliveries.stream().map(Delivery::message).toList()));

    List<Outcome> outcomes = engine.receive(lane("p0", "fresh", "old"), PATIENCE);

    assertThat(calls).containsExactly(List.of("fresh"));
    assertThat(reason(outcomes.get(1))).isEqualTo(Outcome.Reason.LEASE_LOST);
  }
}
