package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Submission;
import io.hapax.internal.Engine;
import io.hapax.internal.Engines;
import io.hapax.mark.ClaimRequest;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An Error out of a store's verb is the store's trouble: the verb is sent again. */
@DisplayName("invariant 14: an Error out of a store's verb stops nothing for ever")
class StoreErrorsTest extends TransactionFixture {

  private final AtomicInteger errorsToCome = new AtomicInteger();

  private IdempotentReceiver<String> receiver(String faultyVerb) {
    Fault fault = (verb, items, call) -> {
      boolean now =
          verb.equals(faultyVerb) && errorsToCome.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
      if (now) {
        throw new LinkageError("a driver's reply buffer");
      }
      return call.go();
    };
    return open(builder().leased(faulty(fault), delivery -> effects.add(delivery.message())));
  }

  @Test
  void an_error_of_claim_is_followed_by_another_claim() throws Exception {
    IdempotentReceiver<String> receiver = receiver("claim");
    errorsToCome.set(1);

    assertThat(receiver.submit(lane("p0", "a"), (index, outcome) -> {}).await(PATIENCE))
        .isTrue();
  }

  @Test
  void an_error_of_settle_does_not_stop_the_settler() throws Exception {
    IdempotentReceiver<String> receiver = receiver("settle");
    errorsToCome.set(1);
    Submission first = receiver.submit(lane("p0", "a"), (index, outcome) -> {});
    first.await(Duration.ofMillis(200));

    assertThat(receiver.submit(lane("p1", "b"), (index, outcome) -> {}).await(PATIENCE))
        .isTrue();
    assertThat(first.await(PATIENCE)).isTrue();
  }

  @Test
  void an_error_of_a_solo_claim_does_not_lock_the_gate() throws Exception {
    lost(false, "a", "b");
    Fault fault = (verb, items, call) -> {
      boolean solo =
          verb.equals("claim") && ((ClaimRequest) items.get(0)).terms().solo();
      if (solo && errorsToCome.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        throw new LinkageError("a driver's reply buffer");
      }
      return call.go();
    };
    IdempotentReceiver<String> receiver =
        open(builder().leased(faulty(fault), delivery -> effects.add(delivery.message())));
    errorsToCome.set(1);
    Submission first = receiver.submit(lane("p0", "a"), (index, outcome) -> {});
    first.await(Duration.ofMillis(200));

    assertThat(receiver.submit(lane("p1", "b"), (index, outcome) -> {}).await(PATIENCE))
        .isTrue();
    assertThat(first.await(PATIENCE)).isTrue();
  }

  @Test
  void an_answer_that_is_missing_is_a_failed_call() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    AtomicInteger renewals = new AtomicInteger();
    Engine<String> engine = ready(engine(
        STEADY,
        System::nanoTime,
        faulty((verb, items, call) -> {
          if (!verb.equals("renew")) {
            return call.go();
          }
          renewals.incrementAndGet();
          return Collections.nCopies(items.size(), null);
        }),
        delivery -> mayEnd.await()));
    Submission submission = engine.submit(lane("p0", "a"), (index, outcome) -> {});
    Awaitility.await().atMost(PATIENCE).until(() -> {
      clock.advance(Duration.ofSeconds(1));
      return renewals.get() > 1;
    });
    mayEnd.countDown();

    assertThat(submission.await(PATIENCE)).isTrue();
    engine.requireRunning();
  }

  @ParameterizedTest
  @ValueSource(strings = {"runOnce", "findDone", "completeWith"})
  void an_error_of_a_transaction_is_followed_by_another_one(String faultyVerb) throws Exception {
    errorsToCome.set(1);
    Engine<String> engine = opened(Engines.transactional(
        engineSettings(STEADY),
        transactions((verb, items, call) -> {
          if (verb.equals(faultyVerb)
              && !(verb.equals("runOnce") && items.isEmpty())
              && errorsToCome.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new NoClassDefFoundError("a driver's reply buffer");
          }
          return call.go();
        }),
        (transaction, deliveries) -> effects.add("a"),
        System::nanoTime));
    boolean probation = faultyVerb.equals("completeWith");

    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> engine
            .receive(List.of(new Incoming<>("a", "p0", "p0@0", probation)), PATIENCE)
            .get(0)
            .mayAcknowledge());

    assertThat(effects).containsExactly("a");
    assertThat(errorsToCome).hasValue(0);
  }
}
