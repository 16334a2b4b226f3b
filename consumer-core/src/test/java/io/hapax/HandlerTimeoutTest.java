package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.mark.Claim;
import io.hapax.mark.MarkState;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Handlers that take too long, and how they learn that they have lost their lease. */
class HandlerTimeoutTest extends FaultFixture {

  private static final LeaseSettings SHORT = LeaseSettings.of(Duration.ofMillis(600));
  private static final Duration LIMIT = Duration.ofMillis(50);

  private final CountDownLatch running = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);
  private final AtomicInteger interrupts = new AtomicInteger();
  private final List<String> started = new CopyOnWriteArrayList<>();

  static void awaitSignal(Delivery<String> delivery) throws Exception {
    CompletableFuture<Void> lost = new CompletableFuture<>();
    delivery.leaseLost().thenRun(() -> lost.complete(null));
    lost.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Ignores every interrupt until it is let go. */
  private void stubborn(Delivery<String> delivery) {
    started.add(delivery.message());
    running.countDown();
    awaitUninterruptibly(go, interrupts::incrementAndGet);
    effects.add(delivery.message());
  }

  @Test
  void a_handler_is_notified_if_its_lease_expires_during_an_outage() throws Exception {
    AtomicBoolean away = new AtomicBoolean();
    AtomicBoolean told = new AtomicBoolean();
    CountDownLatch back = new CountDownLatch(1);
    Fault hangs = (verb, items, call) -> {
      if (away.get() && verb.equals("renew")) {
        back.await();
        throw new StoreException("away");
      }
      return call.go();
    };
    IdempotentReceiver<String> receiver =
        open(builder().lease(SHORT).leased(faulty(hangs), delivery -> {
          away.set(true);
          awaitSignal(delivery);
          told.set(true);
          back.countDown();
        }));

    receive(receiver, "a");

    assertThat(told).isTrue();
  }

  private enum AtItsInterrupt {
    THROWS,
    RETURNS,
    RETURNS_WITH_THE_FLAG
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("invariant 1: a handler that gives up at its interrupt is not acknowledged")
  void a_handler_that_takes_too_long_is_interrupted_and_has_failed_in_doubt(AtItsInterrupt it)
      throws Exception {
    AtomicBoolean current = new AtomicBoolean(true);
    IdempotentReceiver<String> receiver =
        open(builder().handlerTimeout(LIMIT).leased(marks, delivery -> {
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            current.set(delivery.isCurrent());
            if (it == AtItsInterrupt.THROWS) {
              throw e;
            }
            if (it == AtItsInterrupt.RETURNS_WITH_THE_FLAG) {
              Thread.currentThread().interrupt();
            }
          }
        }));

    Outcome outcome = receiveOne(receiver, "a");

    assertThat(reason(outcome)).isEqualTo(Outcome.Reason.RETRY);
    assertThat(mark("a").claim().attempt().inDoubt()).isTrue();
    assertThat(current).isFalse();
    assertThat(receiver.problems()).isEmpty();
  }

  @Test
  void what_a_transaction_of_the_broker_has_committed_in_spite_of_an_interrupt_is_done()
      throws Exception {
    IdempotentReceiver<String> receiver =
        open(builder().handlerTimeout(LIMIT).brokerTransactional(marks, deliveries -> {
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            effects.add("committed");
          }
        }));

    assertThat(receiveOne(receiver, "a")).isInstanceOf(Outcome.Executed.class);
    assertThat(mark("a").state()).isEqualTo(MarkState.DONE);
  }

  @Test
  @DisplayName("invariant 14: health names a hung handler while messages wait for it")
  void a_handler_that_ignores_its_interrupt_is_named_and_renewed_no_more() throws Exception {
    List<String> renewed = new CopyOnWriteArrayList<>();
    Fault watching = before(
        "renew",
        items -> items.forEach(item -> renewed.add(((Claim) item).key().id().toString())));
    CountDownLatch neighbourMayEnd = new CountDownLatch(1);
    IdempotentReceiver<String> receiver = open(builder()
        .workers(2)
        .lease(STEADY)
        .handlerTimeout(LIMIT)
        .leased(faulty(watching), this::stubborn));
    IdempotentReceiver<String> patient =
        open(builder().lease(STEADY).leased(faulty(watching), delivery -> neighbourMayEnd.await()));

    Submission hung = receiver.submit(lane("p0", "a"), IGNORED);
    running.await();
    patient.submit(lane("p1", "neighbour"), IGNORED);
    eventually(() -> interrupts.get() == 1);
    renewed.clear(); // a late interrupt lets it be renewed before
    eventually(() -> renewed.stream().filter("neighbour"::equals).count() >= 3);

    assertThat(renewed).doesNotContain("a");
    assertThat(receiver.problems()).asString().contains("orders/a at p0@0").contains("PT0.05S");
    go.countDown();
    neighbourMayEnd.countDown();
    awaitAll(hung);
    assertThat(receiver.problems()).isEmpty();
  }

  @Test
  @DisplayName("invariant 12: not even the id of a handler that hangs is started again here")
  void while_a_handler_ignores_its_interrupt_its_id_is_not_started_again() throws Exception {
    List<String> claimed = new CopyOnWriteArrayList<>();
    Fault watching = before("claim", items -> items.forEach(item -> claimed.add(idOf(item))));
    IdempotentReceiver<String> receiver =
        open(builder().workers(4).handlerTimeout(LIMIT).leased(faulty(watching), this::stubborn));
    Submission hung = receiver.submit(lane("p0", "a"), IGNORED);
    running.await();
    eventually(() -> interrupts.get() == 1);
    hung.abandon();
    clock.advance(Duration.ofHours(1));
    Outcomes again = new Outcomes(2);

    Submission second = receiver.submit(both(lane("p1", "a"), lane("p2", "other")), again);
    eventually(() -> started.contains("other"));
    assertThat(started).containsExactly("a", "other");
    assertThat(claimed).containsOnlyOnce("a"); // it would have gone with the claim of the other
    go.countDown();

    awaitAll(hung, second);
    assertThat(effects).containsOnlyOnce("a");
    assertThat(mark("a").state()).isEqualTo(MarkState.RETRY);
    assertThat(mark("a").claim().attempt().inDoubt()).isTrue();
  }
}
