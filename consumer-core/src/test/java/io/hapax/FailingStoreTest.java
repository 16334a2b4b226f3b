package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.internal.Engine;
import io.hapax.internal.runtime.Platform;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MarkState;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.store.DedupStore;
import io.hapax.store.InMemoryDedupStore;
import io.hapax.store.StoreContentionException;
import io.hapax.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each failure of a store is reported, and the store is called again after a growing pause. */
class FailingStoreTest extends TransactionFixture {

  /** What doubles is 20 ms at first; a pause is no shorter than half of that. */
  private static final List<Duration> SHORTEST =
      List.of(millis(10), millis(20), millis(40), millis(80), millis(160));

  private final List<Long> calls = new CopyOnWriteArrayList<>();
  private final List<String> told = new CopyOnWriteArrayList<>();

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }

  private ReceiverBuilder<String> listening() {
    return builder().listener(new ReceiverListener() {
      @Override
      public void onStoreError(String verb, Throwable error) {
        told.add(verb);
      }
    });
  }

  private Fault refusing(String refused, Throwable thrown) {
    return (verb, items, call) -> {
      if (verb.equals(refused) && !items.isEmpty()) {
        calls.add(System.nanoTime());
        if (calls.size() <= SHORTEST.size()) {
          throw thrown;
        }
      }
      return call.go();
    };
  }

  /** The timer is never early, however late it may be. */
  private void assertPauses(List<Duration> shortest) {
    assertThat(calls).hasSizeGreaterThan(shortest.size());
    for (int i = 0; i < shortest.size(); i++) {
      assertThat(Duration.ofNanos(calls.get(i + 1) - calls.get(i)))
          .as("pause " + (i + 1))
          .isGreaterThanOrEqualTo(shortest.get(i));
    }
  }

  private void assertDoneAtItsOutcome(IdempotentReceiver<String> receiver) throws Exception {
    List<MarkState> states = new CopyOnWriteArrayList<>();
    awaitAll(receiver.submit(
        lane("p0", "a"), (index, outcome) -> states.add(mark("a").state())));
    assertThat(states).containsExactly(MarkState.DONE);
  }

  /** Returns failures; each occurs more often than calls of its verb run at once. */
  static Stream<Arguments> failures() {
    return Stream.of("claim", "settle")
        .flatMap(verb -> Stream.of(
            arguments(verb, new StoreException("connection refused")),
            arguments(verb, new LinkageError("a driver's reply buffer"))));
  }

  @ParameterizedTest
  @DisplayName("invariants 1 and 14: no ack before DONE, whatever a call of the store throws")
  @MethodSource("failures")
  void claims_and_settlements_are_sent_again_after_pauses_that_grow(String verb, Throwable thrown)
      throws Exception {
    Fault refusing = refusing(verb, thrown);
    assertDoneAtItsOutcome(open(listening().leased(faulty(refusing), this::record)));

    assertPauses(SHORTEST);
    assertThat(told).isEqualTo(Collections.nCopies(SHORTEST.size(), verb));
    assertThat(effects).containsExactly("a");
  }

  @ParameterizedTest
  @CsvSource({"1,claim", "2,claim", "3,settle"})
  void an_exception_that_no_signature_declares_is_a_failed_call(int failing, String verb)
      throws Exception {
    AtomicInteger readings = new AtomicInteger(); // by now, claim and settle, in this order
    DedupStore store = new InMemoryDedupStore(
        () -> {
          if (readings.incrementAndGet() == failing) {
            throw FaultFixture.<RuntimeException>sneaky(new IOException("connection reset"));
          }
          return clock.instant();
        },
        Duration.ofDays(8));
    IdempotentReceiver<String> receiver = open(listening().leased(store, this::record));

    assertThat(receiveOne(receiver, "a")).isInstanceOf(Outcome.Executed.class);

    assertThat(told).containsExactly(verb);
    assertThat(effects).containsExactly("a");
  }

  @Test
  void transactions_are_run_again_after_pauses_that_grow() throws Exception {
    Fault refusing = refusing("runOnce", new StoreException("connection refused"));
    IdempotentReceiver<String> receiver =
        open(listening().transactional(transactions(refusing), (transaction, deliveries) -> {}));

    assertThat(receiveOne(receiver, "a")).isInstanceOf(Outcome.Executed.class);

    assertPauses(SHORTEST);
    assertThat(told).isEqualTo(Collections.nCopies(SHORTEST.size(), "runOnce"));
  }

  @Test
  void a_settlement_whose_shard_is_away_is_sent_again_after_a_pause() throws Exception {
    Fault shardIsAway = (verb, items, call) -> {
      if (verb.equals("settle")) {
        calls.add(System.nanoTime());
        if (calls.size() <= 2) {
          return List.of(new SettleAnswer.Unavailable("its shard"));
        }
      }
      return call.go();
    };

    assertDoneAtItsOutcome(open(listening().leased(faulty(shardIsAway), delivery -> {})));

    assertPauses(List.of(millis(160), millis(160)));
  }

  @ParameterizedTest
  @CsvSource({"runOnce,false", "completeWith,true"})
  void contention_with_other_transactions_is_reported(String contended, boolean probation)
      throws Exception {
    AtomicBoolean crowded = new AtomicBoolean();
    Fault deadlock = (verb, items, call) -> {
      if (verb.equals(contended) && crowded.get()) {
        throw new StoreContentionException("deadlock", new IllegalStateException("40001"));
      }
      return call.go();
    };
    IdempotentReceiver<String> receiver =
        open(listening().transactional(transactions(deadlock), (transaction, deliveries) -> {}));
    crowded.set(true); // it is asked to run nothing when it is built

    Incoming<String> message = new Incoming<>("a", "p0", "p0@0", probation);
    Outcome outcome = receiver.receive(List.of(message), PATIENCE).get(0);

    assertThat(((Outcome.Deferred) outcome).reason()).isEqualTo(Outcome.Reason.BUSY);
    assertThat(told).containsExactly(contended);
  }

  private static boolean holds(List<?> settlements, String id) {
    return settlements.stream().anyMatch(it -> ((Settlement) it).claim().key().equals(key(id)));
  }

  @Test
  @DisplayName("invariant 14: a settlement that the store never takes holds no other back")
  void a_group_that_fails_again_and_again_is_taken_apart() throws Exception {
    AtomicBoolean first = new AtomicBoolean(true);
    CountDownLatch settling = new CountDownLatch(1);
    CountDownLatch together = new CountDownLatch(4);
    IdempotentReceiver<String> receiver = open(builder()
        .workers(4)
        .leased(
            faulty((verb, items, call) -> {
              if (verb.equals("settle") && first.getAndSet(false)) {
                settling.countDown();
                together.await(); // so that the others make one group
              }
              if (verb.equals("settle") && holds(items, "poison")) {
                throw new StoreException("a row that no trigger lets pass");
              }
              return call.go();
            }),
            delivery -> {
              if (!delivery.message().equals("opener")) {
                together.countDown();
              }
            }));
    receiver.submit(lane("p5", "opener"), IGNORED);
    settling.await();
    receiver.submit(lane("p0", "poison"), IGNORED);

    List<Outcome> others =
        receiver.receive(both(both(lane("p1", "a"), lane("p2", "b")), lane("p3", "c")), PATIENCE);
    List<Outcome> later = receiver.receive(lane("p4", "d"), PATIENCE);

    assertThat(others).allMatch(Outcome.Executed.class::isInstance);
    assertThat(later).allMatch(Outcome.Executed.class::isInstance);
  }

  @Test
  @DisplayName("invariant 14: an Error out of a store's verb stops nothing for ever")
  void an_error_of_a_solo_claim_does_not_lock_the_gate() throws Exception {
    lost(false, "a", "b");
    AtomicBoolean fails = new AtomicBoolean(true);
    Fault fault = (verb, items, call) -> {
      boolean solo =
          verb.equals("claim") && ((ClaimRequest) items.get(0)).terms().solo();
      if (solo && fails.getAndSet(false)) {
        throw new LinkageError("a driver's reply buffer");
      }
      return call.go();
    };
    IdempotentReceiver<String> receiver = open(builder().leased(faulty(fault), this::record));
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
    AtomicBoolean fails = new AtomicBoolean(true);
    Engine<String> engine = opened(Engine.transactional(
        engineSettings(STEADY),
        transactions((verb, items, call) -> {
          if (verb.equals(faultyVerb)
              && !(verb.equals("runOnce") && items.isEmpty())
              && fails.getAndSet(false)) {
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
    assertThat(fails).isFalse();
  }
}
