package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Submission;
import io.hapax.internal.Engine;
import io.hapax.internal.Engines;
import io.hapax.internal.runtime.Platform;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.store.DedupStore;
import io.hapax.store.ForwardingDedupStore;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An Error out of a store's verb is the store's trouble: the verb is sent again. */
@DisplayName("invariant 14: an Error out of a store's verb stops nothing for ever")
class StoreErrorsTest extends TransactionFixture {

  private final AtomicInteger errorsToCome = new AtomicInteger();

  /** As many claims as there are calls at once. */
  static Stream<Arguments> thrownByAVerb() {
    return Stream.of(
        arguments("claim", 2, new LinkageError("a driver's reply buffer")),
        arguments("claim", 2, new IOException("connection reset")), // no signature declares it
        arguments("settle", 1, new LinkageError("a driver's reply buffer")),
        arguments("settle", 1, new IOException("connection reset")));
  }

  @ParameterizedTest
  @MethodSource("thrownByAVerb")
  void claims_and_settlements_are_sent_again(String verb, int times, Throwable thrown)
      throws Exception {
    DedupStore store = new ForwardingDedupStore(marks) {
      @Override
      public List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
        mayFail("claim");
        return super.claim(requests, lease);
      }

      @Override
      public List<SettleAnswer> settle(List<Settlement> all) {
        mayFail("settle");
        return super.settle(all);
      }

      private void mayFail(String called) {
        if (called.equals(verb) && errorsToCome.getAndDecrement() > 0) {
          throw FaultFixture.<RuntimeException>sneaky(thrown);
        }
      }
    };
    IdempotentReceiver<String> receiver = open(builder().leased(store, this::record));
    errorsToCome.set(times);

    awaitAll(receiver.submit(lane("p0", "a"), IGNORED), receiver.submit(lane("p1", "b"), IGNORED));
    assertThat(effects).containsExactlyInAnyOrder("a", "b");
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
    IdempotentReceiver<String> receiver = open(builder().leased(faulty(fault), this::record));
    errorsToCome.set(1);
    Submission first = receiver.submit(lane("p0", "a"), IGNORED);
    first.await(Duration.ofMillis(200));

    awaitAll(receiver.submit(lane("p1", "b"), IGNORED));
    awaitAll(first);
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
    Submission submission = engine.submit(lane("p0", "a"), IGNORED);
    eventually(() -> {
      clock.advance(Duration.ofSeconds(1));
      return renewals.get() > 1;
    });
    mayEnd.countDown();

    awaitAll(submission);
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
        Platform.ofThisMachine()));
    boolean probation = faultyVerb.equals("completeWith");

    eventually(() -> engine
        .receive(List.of(new Incoming<>("a", "p0", "p0@0", probation)), PATIENCE)
        .get(0)
        .mayAcknowledge());

    assertThat(effects).containsExactly("a");
    assertThat(errorsToCome).hasValue(0);
  }
}
