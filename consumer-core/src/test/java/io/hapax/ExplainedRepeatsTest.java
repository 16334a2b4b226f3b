package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How often an effect is repeated in leased mode, and who can tell why. */
@Timeout(60)
class ExplainedRepeatsTest extends FaultFixture {

  private static final int WORKERS = 4;

  @ParameterizedTest
  @ValueSource(ints = {1, 12, 30})
  @DisplayName(
      "invariant 9: a crash repeats no more than the handlers in flight and the completions"
          + " of one store round trip")
  void what_a_crash_repeats_is_bounded(int completionsOfARoundTrip) throws Exception {
    ObservedConsumer consumer = new ObservedConsumer();
    consumer.complete(1);
    consumer.awaitSettleCall(1);
    consumer.complete(20);
    consumer.letSettle();
    consumer.awaitSettleCall(2);
    consumer.complete(completionsOfARoundTrip);
    consumer.letSettle();
    consumer.awaitSettleCall(3);

    consumer.crash();
    clock.advance(Duration.ofMinutes(1));
    IdempotentReceiver<String> next = open(builder().leased(marks, this::record));
    List<Outcome> outcomes = next.receive(messages(), PATIENCE);

    assertThat(outcomes).allMatch(Outcome::mayAcknowledge);
    assertThat(effects).containsAll(messages().stream().map(Incoming::message).toList());
    assertThat(effects.size() - messages().size())
        .as("repeats")
        .isLessThanOrEqualTo(WORKERS + completionsOfARoundTrip);
  }

  private static List<Incoming<String>> messages() {
    return IntStream.range(0, 120)
        .mapToObj(i -> new Incoming<>("m" + i, "p" + i % 8, "p" + i % 8 + "@" + i, false))
        .toList();
  }

  /**
   * Its handlers wait for permits after their effect, and its settlements at the store's door, so
   * that what is under way at its crash is known exactly.
   */
  private final class ObservedConsumer {

    private final Semaphore mayReturn = new Semaphore(0);
    private final Semaphore maySettle = new Semaphore(0);
    private final AtomicInteger inHandler = new AtomicInteger();
    private final AtomicInteger returned = new AtomicInteger();
    private final AtomicInteger settleCalls = new AtomicInteger();
    private final AtomicBoolean crashed = new AtomicBoolean();
    private final IdempotentReceiver<String> receiver = open(builder()
        .workers(WORKERS)
        .drainTimeout(Duration.ZERO)
        .leased(faulty(this::reach), this::handle));

    ObservedConsumer() {
      receiver.submit(messages(), IGNORED);
      await(() -> inHandler.get() == WORKERS);
    }

    private Object reach(String verb, List<?> items, Call call) throws Throwable {
      if (verb.equals("settle")) {
        settleCalls.incrementAndGet();
        maySettle.acquireUninterruptibly();
      }
      if (crashed.get() && !items.isEmpty()) {
        throw new StoreException("crashed");
      }
      return call.go();
    }

    private void handle(Delivery<String> delivery) throws InterruptedException {
      effects.add(delivery.message());
      inHandler.incrementAndGet();
      mayReturn.acquire();
      inHandler.decrementAndGet();
      returned.incrementAndGet();
    }

    /** Lets so many handlers return; afterwards every worker runs its next handler. */
    void complete(int count) {
      int sum = returned.get() + count;
      mayReturn.release(count);
      await(() -> returned.get() == sum && inHandler.get() == WORKERS);
    }

    void awaitSettleCall(int number) {
      await(() -> settleCalls.get() == number);
    }

    void letSettle() {
      maySettle.release();
    }

    void crash() {
      crashed.set(true);
      receiver.close();
      maySettle.release(1_000);
    }

    private void await(BooleanSupplier condition) {
      eventually(condition::getAsBoolean);
    }
  }
}
