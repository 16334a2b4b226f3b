package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.errors.NotAppliedException;
import io.hapax.errors.PartlyHandledException;
import io.hapax.errors.RejectedMessageException;
import io.hapax.internal.Engine;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Handlers that are called again at once, because nothing has happened. */
class InProcessRetryTest extends FaultFixture {

  private static final InProcessRetry THREE =
      InProcessRetry.of(3, Duration.ofMillis(1), Duration.ofMillis(5));

  private static final InProcessRetry LONG =
      InProcessRetry.of(3, Duration.ofSeconds(90), Duration.ofSeconds(90));

  private static final LeaseSettings ROOMY = LeaseSettings.of(Duration.ofMinutes(10));

  private static NotAppliedException refused() {
    return new NotAppliedException("connection refused");
  }

  private static Outcome.Reason reason(Outcome outcome) {
    return ((Outcome.Deferred) outcome).reason();
  }

  private IdempotentReceiver<String> failing(InProcessRetry settings, RuntimeException error) {
    return open(builder().inProcessRetry(settings).leased(marks, delivery -> {
      effects.add(delivery.message());
      throw error;
    }));
  }

  @Test
  @DisplayName("a gateway that charges and then times out is not called to charge again")
  void what_may_have_taken_effect_is_never_called_again() throws Exception {
    IdempotentReceiver<String> receiver =
        failing(THREE, new IllegalStateException("charged, and then the reply timed out"));

    Outcome outcome = receiver.receive(lane("p0", "a"), PATIENCE).get(0);

    assertThat(effects).containsExactly("a");
    assertThat(reason(outcome)).isEqualTo(Outcome.Reason.RETRY);
    assertThat(mark("a").claim().attempt().inDoubt()).isTrue();
  }

  @Test
  void what_took_no_effect_is_called_again_under_the_same_claim() throws Exception {
    List<Long> tokens = new CopyOnWriteArrayList<>();
    List<Integer> told = new CopyOnWriteArrayList<>();
    AtomicInteger claims = new AtomicInteger();
    IdempotentReceiver<String> receiver = open(builder()
        .inProcessRetry(THREE)
        .listener(new ReceiverListener() {
          @Override
          public void onInProcessRetry(MessageKey key, int retry, Throwable error) {
            told.add(retry);
          }
        })
        .leased(
            faulty((verb, items, call) -> {
              claims.addAndGet(verb.equals("claim") ? 1 : 0);
              return call.go();
            }),
            delivery -> {
              tokens.add(delivery.fencingToken());
              if (tokens.size() < 3) {
                throw refused();
              }
            }));

    Outcome outcome = receiver.receive(lane("p0", "a"), PATIENCE).get(0);

    assertThat(outcome).isInstanceOf(Outcome.Executed.class);
    assertThat(((Outcome.Executed) outcome).attempt()).isEqualTo(1);
    assertThat(tokens).hasSize(3).containsOnly(tokens.get(0));
    assertThat(told).containsExactly(1, 2);
    assertThat(claims).hasValue(2); // the question for the store's time, and the claim
  }

  @Test
  @DisplayName("invariant 10: all calls under one claim are one attempt")
  void when_the_retries_are_used_up_one_attempt_has_failed() throws Exception {
    Outcome outcome =
        failing(THREE, refused()).receive(lane("p0", "a"), PATIENCE).get(0);

    assertThat(effects).hasSize(4);
    assertThat(reason(outcome)).isEqualTo(Outcome.Reason.RETRY);
    assertThat(mark("a").claim().attempt().number()).isEqualTo(1);
    assertThat(mark("a").claim().attempt().inDoubt()).isFalse();
  }

  @Test
  void an_error_that_is_not_over_in_a_moment_waits_for_the_next_attempt() throws Exception {
    InProcessRetry timeouts = new InProcessRetry(
        3, Duration.ofMillis(1), Duration.ofMillis(1), it -> it.getCause() != null);

    failing(timeouts, refused()).receive(lane("p0", "a"), PATIENCE);

    assertThat(effects).hasSize(1);
  }

  @Test
  void an_error_that_no_attempt_can_mend_is_not_called_again() throws Exception {
    failing(THREE, new RejectedMessageException("no such item")).receive(lane("p0", "a"), PATIENCE);

    assertThat(effects).hasSize(1);
    assertThat(buried).hasSize(1);
  }

  @Test
  void a_predicate_that_throws_calls_nothing_again() throws Exception {
    InProcessRetry broken =
        new InProcessRetry(3, Duration.ofMillis(1), Duration.ofMillis(1), error -> {
          throw new StackOverflowError("a long chain of causes");
        });

    Outcome outcome =
        failing(broken, refused()).receive(lane("p0", "a"), PATIENCE).get(0);

    assertThat(effects).hasSize(1);
    assertThat(reason(outcome)).isEqualTo(Outcome.Reason.RETRY);
  }

  @Test
  void what_is_in_doubt_from_an_earlier_attempt_is_not_called_again() throws Exception {
    failing(THREE, new IllegalStateException("who knows")).receive(lane("p0", "a"), PATIENCE);
    clock.advance(Duration.ofMinutes(2));
    effects.clear();

    failing(THREE, refused()).receive(lane("p0", "a"), PATIENCE);

    assertThat(effects).hasSize(1);
  }

  @Test
  void during_a_wait_the_lane_keeps_its_order_and_the_worker_runs_others() throws Exception {
    CountDownLatch otherLane = new CountDownLatch(1);
    IdempotentReceiver<String> receiver = open(builder()
        .workers(1)
        .inProcessRetry(InProcessRetry.of(100, Duration.ofMillis(5), Duration.ofMillis(50)))
        .leased(marks, delivery -> {
          if (delivery.message().equals("other")) {
            otherLane.countDown();
          } else if (otherLane.getCount() > 0) {
            throw refused();
          }
          effects.add(delivery.message());
        }));

    List<Outcome> outcomes =
        receiver.receive(both(lane("p0", "a", "b"), lane("p1", "other")), PATIENCE);

    assertThat(outcomes).allMatch(Outcome.Executed.class::isInstance);
    assertThat(effects).containsExactly("other", "a", "b");
  }

  @Test
  void the_lease_is_renewed_while_a_message_waits() throws Exception {
    AtomicInteger renewals = new AtomicInteger();
    IdempotentReceiver<String> receiver = open(builder()
        .lease(
            new LeaseSettings(Duration.ofSeconds(10), Duration.ofMillis(20), Duration.ofSeconds(1)))
        .inProcessRetry(InProcessRetry.of(100, Duration.ofMillis(10), Duration.ofMillis(50)))
        .leased(
            faulty((verb, items, call) -> {
              renewals.addAndGet(verb.equals("renew") ? 1 : 0);
              return call.go();
            }),
            delivery -> {
              if (renewals.get() < 2) {
                throw refused();
              }
            }));

    assertThat(receiver.receive(lane("p0", "a"), PATIENCE))
        .allMatch(Outcome.Executed.class::isInstance);
  }

  @Test
  @DisplayName("invariant 16: what waits is given back when its lane is, and was an attempt")
  void a_message_that_waits_can_be_given_up_at_once() throws Exception {
    CountDownLatch called = new CountDownLatch(1);
    IdempotentReceiver<String> receiver =
        open(builder().lease(ROOMY).inProcessRetry(LONG).leased(marks, delivery -> {
          effects.add(delivery.message());
          called.countDown();
          throw refused();
        }));
    Outcomes outcomes = new Outcomes(2);
    Submission submission = receiver.submit(lane("p0", "a", "b"), outcomes);
    called.await();

    submission.abandon();

    assertThat(submission.await(PATIENCE)).isTrue();
    assertThat(outcomes.seen).allMatch(it -> reason(it.get(0)) == Outcome.Reason.ABANDONED);
    assertThat(effects).containsExactly("a");
    assertThat(mark("a").state()).isEqualTo(MarkState.RETRY);
    assertThat(mark("a").claim().attempt().number()).isEqualTo(1);
    assertThat(mark("a").claim().attempt().inDoubt()).isFalse();
    assertThat(mark("b").claim().attempt().number()).isZero();
  }

  @Test
  @DisplayName("no wait is longer than an adapter's poll may take")
  void a_caller_whose_patience_ends_does_not_wait_for_the_next_call() throws Exception {
    IdempotentReceiver<String> receiver =
        open(builder().lease(ROOMY).inProcessRetry(LONG).leased(marks, delivery -> {
          effects.add(delivery.message());
          throw refused();
        }));

    List<Outcome> outcomes = receiver.receive(lane("p0", "a", "b"), Duration.ofSeconds(2));

    assertThat(outcomes).allMatch(it -> reason(it) == Outcome.Reason.ABANDONED);
    assertThat(effects).containsExactly("a");
  }

  @Test
  @DisplayName("invariant 2: the margin of the lease counts before every call")
  void a_message_whose_lease_is_too_short_after_the_wait_is_not_called() throws Exception {
    AtomicLong nanos = new AtomicLong();
    inProcess = Optional.of(THREE);
    Engine<String> engine = engine(LeaseSettings.DEFAULT, nanos::get, marks, delivery -> {
      effects.add(delivery.message());
      nanos.addAndGet(Duration.ofSeconds(26).toNanos());
      throw refused();
    });

    List<Outcome> outcomes = engine.receive(lane("p0", "a", "b"), PATIENCE);

    assertThat(effects).containsExactly("a");
    assertThat(reason(outcomes.get(0))).isEqualTo(Outcome.Reason.LEASE_LOST);
    assertThat(reason(outcomes.get(1))).isEqualTo(Outcome.Reason.BLOCKED);
    assertThat(mark("a").claim().attempt().number()).isEqualTo(1);
  }

  @Test
  void of_a_call_that_was_handled_in_part_the_rest_is_called_again() throws Exception {
    List<List<String>> calls = new CopyOnWriteArrayList<>();
    IdempotentReceiver<String> receiver =
        open(builder().inProcessRetry(THREE).leasedBatches(marks, deliveries -> {
          calls.add(new ArrayList<>(deliveries.stream().map(Delivery::message).toList()));
          if (calls.size() == 1) {
            throw new PartlyHandledException(1, refused());
          }
        }));

    List<Outcome> outcomes = receiver.receive(lane("p0", "a", "b", "c"), PATIENCE);

    assertThat(outcomes).allMatch(Outcome.Executed.class::isInstance);
    assertThat(calls).containsExactly(List.of("a", "b", "c"), List.of("b", "c"));
  }
}
