package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.adapter.Handout;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.errors.DeferredException;
import io.hapax.internal.ReceiverEngine;
import io.hapax.internal.run.HandlerStep.Handler;
import io.hapax.internal.runtime.Platform;
import io.hapax.internal.shadow.ShadowEngines;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer;
import io.hapax.store.DedupStore;
import io.hapax.store.InMemoryDedupStore;
import io.hapax.store.StoreException;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Shadow mode: faults that must change nothing for a message, nor for the receiver afterwards. */
class ShadowFaultsTest extends FaultFixture {

  @Test
  void failed_runs_use_up_no_time_of_later_deferrals() throws Exception {
    AtomicReference<Duration> past = new AtomicReference<>(Duration.ofDays(3));
    InMemoryDedupStore store =
        new InMemoryDedupStore(() -> Instant.now().minus(past.get()), Duration.ofDays(8));
    IdempotentReceiver<String> shadow =
        open(builder().shadow().leased(store, throwing(new IllegalStateException("down"))));
    receive(shadow, "a");
    eventually(() -> report(shadow).failed() == 1);
    shadow.close();
    past.set(Duration.ZERO);

    IdempotentReceiver<String> real = open(builder()
        .retry(new RetrySettings(2, Duration.ofMinutes(1), Duration.ofMinutes(10))
            .withMaxDeferral(Duration.ofDays(1)))
        .leased(store, throwing(new DeferredException(Duration.ofSeconds(1)))));
    List<Outcome> outcomes = receive(real, "a");

    assertThat(buried).isEmpty();
    assertThat(reason(outcomes.get(0))).isEqualTo(Reason.DEFERRED);
  }

  @Test
  void a_message_with_long_coordinates_runs() throws Exception {
    IdempotentReceiver<String> receiver = open(builder().shadow().leased(marks, this::record));

    List<Outcome> outcomes =
        receiver.receive(List.of(new Incoming<>("a", "p0", "x".repeat(17_000), false)), PATIENCE);

    assertThat(outcomes).hasOnlyElementsOfType(Outcome.Executed.class);
    assertThat(effects).containsExactly("a");
  }

  private static Incoming<String> unreadable(Throwable error) {
    Handout<String> handout = readBy(() -> {
      throw FaultFixture.<RuntimeException>sneaky(error);
    });
    return new Incoming<>(handout, "p1", true, "p1@0", false, Incoming.NO_TIMESTAMP);
  }

  @Test
  void a_message_that_cannot_be_read_again_stops_no_other() throws Exception {
    IdempotentReceiver<String> receiver = open(builder().shadow().leased(marks, this::record));

    for (Throwable error : List.of(new IOException("no registry"), new LinkageError("Order"))) {
      List<Outcome> outcomes =
          receiver.receive(both(lane("p0", "a"), List.of(unreadable(error))), PATIENCE);

      assertThat(outcomes.get(0)).isInstanceOf(Outcome.Executed.class);
      assertThat(reason(outcomes.get(1))).isEqualTo(Reason.INTERNAL_ERROR);
    }
    assertThat(effects).containsExactly("a", "a");
  }

  @Test
  void no_lease_ends_while_messages_wait_for_their_turn() throws Exception {
    AtomicLong nanos = new AtomicLong();
    LeaseSettings lease =
        new LeaseSettings(Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(5));
    ReceiverEngine<String> engine = ShadowEngines.leased(
        engineSettings(lease),
        marks,
        Handler.single(delivery -> {
          effects.add(delivery.message());
          nanos.addAndGet(Duration.ofSeconds(40).toNanos());
        }),
        Platform.with(nanos::get));
    try {
      List<Outcome> outcomes = engine.receive(lane("p0", "slow", "late", "behind"), PATIENCE);

      assertThat(outcomes).hasOnlyElementsOfType(Outcome.Executed.class);
      assertThat(effects).containsExactly("slow", "late", "behind");
    } finally {
      engine.close(Duration.ZERO);
    }
  }

  @Test
  void a_result_over_the_limit_does_not_fail_the_run() throws Exception {
    IdempotentReceiver<String> receiver = open(builder()
        .resultLimit(4)
        .shadow()
        .answering(marks, delivery -> Bytes.utf8("longer than that")));

    assertThat(receive(receiver, "a")).hasOnlyElementsOfType(Outcome.Executed.class);
    eventually(() -> report(receiver).marked() == 1);
  }

  @Test
  void a_copy_that_runs_beside_one_that_fails_is_counted() throws Exception {
    CountDownLatch both = new CountDownLatch(2);
    IdempotentReceiver<String> receiver = open(builder().shadow().leased(marks, delivery -> {
      both.countDown();
      both.await();
      throw new DeferredException(Duration.ofSeconds(1));
    }));

    receiver.receive(both(lane("p0", "a"), lane("p1", "a")), PATIENCE);

    eventually(() -> report(receiver).failed() == 1);
    eventually(() -> report(receiver).withoutClaim() == 1);
  }

  @Test
  void closing_ends_while_a_handler_and_the_store_hang() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    IdempotentReceiver<String> receiver = builder()
        .shadow()
        .leased(
            faulty((verb, items, call) -> {
              if (!verb.equals("retention")) {
                awaitUninterruptibly(end);
              }
              return call.go();
            }),
            delivery -> awaitUninterruptibly(end));
    var open = receiver.submit(lane("p0", "a", "b"), IGNORED);
    long begin = System.nanoTime();
    receiver.close();
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(4));
    assertThat(open.await(Duration.ofSeconds(1))).isTrue();
    end.countDown();
  }

  @Test
  void a_normal_receiver_beside_a_failing_shadow_skips_nothing() throws Exception {
    Gate handler = new Gate();
    IdempotentReceiver<String> shadow = open(builder().shadow().leased(marks, delivery -> {
      handler.pass();
      throw new IllegalStateException("down");
    }));
    IdempotentReceiver<String> normal = open(builder().leased(marks, this::record));
    shadow.submit(lane("p0", "a"), IGNORED);
    handler.awaitReached();
    eventually(() -> state("a").isPresent());
    FaultFixture.Outcomes outcomes = new FaultFixture.Outcomes(1);
    var beside = normal.submit(lane("p0", "a"), outcomes);
    handler.open();
    beside.await(PATIENCE);

    assertThat(outcomes.seen.get(0))
        .hasSize(1)
        .doesNotHaveAnyElementsOfTypes(Outcome.Duplicate.class);
    eventually(
        () -> { // unless it ran already, in the submission above
          if (effects.isEmpty()) {
            receive(normal, "a");
          }
          return !effects.isEmpty();
        });
    assertThat(effects).containsExactly("a");
  }

  static List<Fault> faults() {
    return List.of(
        (verb, items, call) -> {
          throw new StoreException("connection refused");
        },
        (verb, items, call) -> verb.equals("claim")
            ? Collections.nCopies(items.size(), new ClaimAnswer.Unavailable("a shard is away"))
            : call.go());
  }

  @ParameterizedTest
  @MethodSource("faults")
  void a_store_that_fails_or_answers_partly_delays_no_message(Fault fault) throws Exception {
    DedupStore store = faulty((verb, items, call) ->
        verb.equals("retention") ? call.go() : fault.through(verb, items, call));
    IdempotentReceiver<String> receiver = open(builder().shadow().leased(store, this::record));

    assertThat(receive(receiver, "a", "b")).hasOnlyElementsOfType(Outcome.Executed.class);
    assertThat(effects).containsExactly("a", "b");
  }

  @Test
  void an_interrupt_that_the_id_function_swallowed_is_not_lost() throws Exception {
    IdempotentReceiver<String> receiver = open(builder()
        .id(text -> {
          try {
            Thread.currentThread().interrupt();
            var unused = new CountDownLatch(1).await(1, TimeUnit.MILLISECONDS);
            return Optional.empty();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        })
        .shadow()
        .leased(marks, this::record));

    assertThatThrownBy(() -> receiver.receiveOnCallerThread(lane("p0", "a"), PATIENCE))
        .isInstanceOf(InterruptedException.class);
  }

  static List<Error> errors() {
    return List.of(
        new OutOfMemoryError(),
        new StackOverflowError(),
        new LinkageError(),
        new AssertionError(new InvalidObjectException("malformed")));
  }

  @ParameterizedTest
  @MethodSource("errors")
  void an_error_of_the_handler_is_an_ordinary_failure(Error error) throws Exception {
    IdempotentReceiver<String> receiver = open(builder().shadow().leased(marks, throwing(error)));

    assertThat(reason(receiveOne(receiver, "a"))).isEqualTo(Reason.RETRY);
    assertThat(receiver.problems()).isEmpty();
    assertThat(buried).isEmpty();
  }
}
