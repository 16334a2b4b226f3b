package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.internal.Engine;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.MarkState;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * How much of a lease must be left when a handler starts, and until when a claim may be executed.
 */
@DisplayName("invariant 2: a handler starts with the margin of its lease left, or not at all")
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
    Fault slowClaim = before("claim", items -> pass(Duration.ofSeconds(26)));
    Engine<String> engine = engine(LEASE, nanos::get, faulty(slowClaim), this::record);

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

  private final List<ClaimRequest> sent = new CopyOnWriteArrayList<>();

  private final DedupStore watched =
      faulty(before("claim", items -> items.forEach(item -> sent.add((ClaimRequest) item))));

  @Test
  @DisplayName("invariant 6: every claim that may open something carries a limit in time")
  void a_conflict_at_the_head_of_the_first_poll_does_not_lift_the_limit() throws Exception {
    open(builder().leased(marks, delivery -> {})).receive(lane("p0", "a=1"), PATIENCE);
    IdempotentReceiver<String> receiver = open(builder().leased(watched, delivery -> {}));

    receive(receiver, "a=2", "b=1");

    assertThat(sent)
        .filteredOn(request -> request.key().equals(key("b")))
        .noneMatch(request -> request.terms().notAfter().equals(ClaimTerms.ANY_TIME));
  }

  @Test
  @DisplayName("invariant 6: a claim may be executed as long as it could still be used, no longer")
  void a_claim_is_limited_to_its_lease_less_the_margin() throws Exception {
    IdempotentReceiver<String> receiver = open(builder().leased(watched, delivery -> {}));

    Instant begin = clock.instant();
    receive(receiver, "a");
    Instant end = clock.instant();

    LeaseSettings lease = LeaseSettings.DEFAULT;
    Duration estimatedTooHighAtMost = Duration.between(begin, end);
    assertThat(sent.get(sent.size() - 1).terms().notAfter())
        .isBeforeOrEqualTo(
            end.plus(estimatedTooHighAtMost).plus(lease.lease()).minus(lease.margin()));
  }
}
