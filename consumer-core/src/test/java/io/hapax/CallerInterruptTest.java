package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.mark.MarkState;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Interrupts, close and errors around a thread that runs its messages itself. */
class CallerInterruptTest extends CallerThreadFixture {

  private static final Duration LIMIT = Duration.ofMillis(50);

  private final List<Boolean> flags = new CopyOnWriteArrayList<>();

  @AfterEach
  void clearTheFlag() {
    var unused = Thread.interrupted();
  }

  private static List<Incoming<String>> twoLanes() {
    return both(lane("p0", "a", "behind"), lane("p1", "b"));
  }

  private static void interruptFromElsewhere(Thread thread) {
    CompletableFuture.runAsync(thread::interrupt).join();
  }

  private static CompletableFuture<Void> closingAt(Gate gate, IdempotentReceiver<String> receiver) {
    return CompletableFuture.runAsync(() -> {
      try {
        gate.awaitReached();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      receiver.close();
    });
  }

  private void assertGivenBack(String id) {
    eventually(() -> mark(id).state() == MarkState.RETRY);
    assertThat(mark(id).claim().attempt().number()).isZero();
  }

  @Test
  @DisplayName("invariant 14: a handler that an interrupt ends is settled before the call throws")
  void an_interrupt_ends_the_handler_and_nothing_else_starts() throws Exception {
    Thread here = Thread.currentThread();
    IdempotentReceiver<String> receiver = open(builder().leased(marks, delivery -> {
      effects.add(delivery.message());
      interruptFromElsewhere(here);
      new CountDownLatch(1).await();
    }));

    assertThatThrownBy(() -> receive(receiver, twoLanes()))
        .isInstanceOf(InterruptedException.class);

    assertThat(Thread.interrupted()).isFalse();
    assertThat(mark("a").state()).isEqualTo(MarkState.RETRY);
    assertThat(mark("a").claim().attempt().number()).isEqualTo(1);
    assertGivenBack("behind");
    assertGivenBack("b");
    assertThat(effects).containsExactly("a");
  }

  @Test
  void an_interrupt_that_the_handler_does_not_notice_is_not_swallowed() throws Exception {
    Thread here = Thread.currentThread();
    IdempotentReceiver<String> receiver = open(builder().leased(marks, delivery -> {
      effects.add(delivery.message());
      interruptFromElsewhere(here);
    }));

    assertThatThrownBy(() -> receive(receiver, twoLanes()))
        .isInstanceOf(InterruptedException.class);

    assertThat(mark("a").state()).isEqualTo(MarkState.DONE);
    assertGivenBack("b");
    assertThat(effects).containsExactly("a");
  }

  @Test
  void an_interrupt_in_a_transaction_meets_no_call_to_the_database() throws Exception {
    Thread here = Thread.currentThread();
    IdempotentReceiver<String> receiver = open(builder()
        .transactional(
            transactions((verb, items, call) -> {
              Object answer = call.go();
              flags.add(Thread.currentThread().isInterrupted());
              return answer;
            }),
            (transaction, deliveries) -> {
              effects.add("call for " + deliveries.size());
              interruptFromElsewhere(here);
              new CountDownLatch(1).await();
            }));

    assertThatThrownBy(() -> receive(receiver, twoLanes()))
        .isInstanceOf(InterruptedException.class);

    assertThat(effects).containsExactly("call for 3"); // and none for each message alone
    assertThat(flags).isNotEmpty().doesNotContain(true);
  }

  @Test
  void an_interrupt_while_the_claim_is_under_way_gives_it_back() throws Exception {
    Thread here = Thread.currentThread();
    CountDownLatch answer = new CountDownLatch(1);
    IdempotentReceiver<String> receiver = open(builder()
        .leased(
            faulty((verb, items, call) -> {
              Object answers = call.go();
              if (verb.equals("claim")) {
                here.interrupt();
                assertThat(answer.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
              }
              return answers;
            }),
            this::record));
    CompletableFuture<Void> released = CompletableFuture.runAsync(() -> {
      eventually(() -> !here.isInterrupted());
      answer.countDown();
    });

    assertThatThrownBy(() -> receive(receiver, lane("p0", "a")))
        .isInstanceOf(InterruptedException.class);

    released.join();
    assertGivenBack("a");
    assertThat(effects).isEmpty();
  }

  @Test
  void nothing_is_received_by_a_thread_that_is_interrupted_already() throws Exception {
    IdempotentReceiver<String> receiver = open(builder().leased(marks, this::record));

    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> receive(receiver, lane("p0", "a")))
        .isInstanceOf(InterruptedException.class);

    assertThat(Thread.interrupted()).isFalse();
    assertThat(state("a")).isEmpty();
    assertThat(receive(receiver, lane("p0", "a"))).hasOnlyElementsOfType(Outcome.Executed.class);
  }

  @Test
  void a_conversion_error_of_an_interrupted_call_is_tried_again() throws Exception {
    Thread here = Thread.currentThread();
    IdempotentReceiver<String> receiver = open(builder().leased(marks, delivery -> {
      interruptFromElsewhere(here);
      throw new UncheckedIOException(new java.io.InvalidObjectException("half of it was read"));
    }));

    assertThatThrownBy(() -> receive(receiver, lane("p0", "a")))
        .isInstanceOf(InterruptedException.class);

    assertThat(buried).isEmpty();
    assertThat(mark("a").state()).isEqualTo(MarkState.RETRY);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void the_interrupt_of_a_handler_that_takes_too_long_is_not_the_callers(boolean keepsTheFlag)
      throws Exception {
    IdempotentReceiver<String> receiver =
        open(builder().handlerTimeout(LIMIT).leased(marks, delivery -> {
          flags.add(Thread.currentThread().isInterrupted());
          if (delivery.message().equals("a")) {
            try {
              new CountDownLatch(1).await();
            } catch (InterruptedException e) {
              if (keepsTheFlag) {
                Thread.currentThread().interrupt();
              }
              throw e;
            }
          }
        }));

    List<Outcome> outcomes = receive(receiver, twoLanes());

    assertThat(Thread.interrupted()).isFalse();
    assertThat(flags).containsExactly(false, false);
    assertThat(reason(outcomes.get(0))).isEqualTo(Outcome.Reason.RETRY);
    assertThat(reason(outcomes.get(1))).isEqualTo(Outcome.Reason.BLOCKED);
    assertThat(outcomes.get(2)).isInstanceOf(Outcome.Executed.class);
    assertThat(receiver.problems()).isEmpty();
  }

  @Test
  void close_interrupts_the_handler_and_the_call_returns_outcomes() throws Exception {
    Gate handler = new Gate();
    AtomicInteger interrupts = new AtomicInteger();
    IdempotentReceiver<String> receiver = open(builder().leased(marks, delivery -> {
      try {
        handler.pass();
      } catch (InterruptedException e) {
        interrupts.incrementAndGet();
        throw e;
      }
    }));
    CompletableFuture<Void> closing = closingAt(handler, receiver);

    List<Outcome> outcomes = receive(receiver, twoLanes());

    closing.join();
    assertThat(Thread.interrupted()).isFalse();
    assertThat(interrupts).hasValue(1);
    assertThat(outcomes)
        .allSatisfy(it -> assertThat(reason(it)).isEqualTo(Outcome.Reason.ABANDONED));
  }

  @Test
  void a_close_ends_a_call_that_waits_for_the_store() throws Exception {
    Gate claim = new Gate();
    IdempotentReceiver<String> receiver =
        open(builder().leased(faulty(before("claim", items -> claim.pass())), this::record));
    CompletableFuture<Void> closing = closingAt(claim, receiver);

    List<Outcome> outcomes = receive(receiver, lane("p0", "a"));
    closing.join();
    claim.open();

    assertThat(reason(outcomes.get(0))).isEqualTo(Outcome.Reason.ABANDONED);
    assertThat(effects).isEmpty();
  }
}
