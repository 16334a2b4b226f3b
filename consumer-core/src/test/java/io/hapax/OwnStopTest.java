package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.internal.Engine;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MarkState;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.DedupStore;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A receiver that may go on without its store does not take its own stop for an outage of it. */
class OwnStopTest extends FailOpenFixture {

  private final AtomicInteger toFail = new AtomicInteger();
  private final CountDownLatch hanging = new CountDownLatch(1);
  private final CountDownLatch goesOn = new CountDownLatch(1);
  private volatile BiPredicate<String, List<?>> hangs = (verb, items) -> false;

  /** One call hangs and then fails, and on demand so do those after it. */
  private final DedupStore store = faulty((verb, items, call) -> {
    note(verb, items);
    if (hangs.test(verb, items)) {
      hangs = (any, all) -> false;
      hanging.countDown();
      goesOn.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      throw new StoreException("no answer in time");
    }
    if (away || toFail.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      failures.incrementAndGet();
      throw new StoreException("connection reset");
    }
    return call.go();
  });

  private Engine<String> engine() {
    return ready(engine(
        LeaseSettings.DEFAULT, nanos::get, store, delivery -> effects.add(delivery.message())));
  }

  private static boolean claims(String verb, List<?> items, String id) {
    return verb.equals("claim")
        && claimOf(items).key().id().toString().equals(id)
        && !claimOf(items).terms().notAfter().equals(Instant.EPOCH); // which only asks the time
  }

  private static ClaimRequest claimOf(List<?> items) {
    return (ClaimRequest) items.get(0);
  }

  private static Outcomes submitAlone(Engine<String> engine, String message) {
    Outcomes outcomes = new Outcomes(1);
    engine.submit(lane("p-" + message, message), outcomes);
    return outcomes;
  }

  private void stopsDuringTheCallFor(Duration time) throws InterruptedException {
    assertThat(hanging.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    nanos.addAndGet(time.toNanos());
    goesOn.countDown();
  }

  private ClaimRequest elsewhere(String id) {
    return new ClaimRequest(
        key(id),
        new Nonce(7, 7),
        Fingerprint.NONE,
        Origin.NONE,
        new ClaimTerms(false, true, ClaimTerms.ANY_TIME));
  }

  private void doneElsewhere(String id) {
    Acquired acquired =
        (Acquired) marks.claim(List.of(elsewhere(id)), Duration.ofMinutes(1)).get(0);
    effects.add(id + " elsewhere");
    marks.settle(List.of(new Settlement(acquired.claim(), Verdict.Done.WITHOUT_RESULT)));
  }

  @Test
  void a_message_whose_claim_was_on_its_way_is_claimed_again_and_found_done() throws Exception {
    hangs = (verb, items) -> claims(verb, items, "a");
    Outcomes outcomes = submitAlone(engine(), "a");
    assertThat(hanging.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    doneElsewhere("a");

    stopsDuringTheCallFor(PATIENT.multipliedBy(10));

    assertThat(outcomes.awaitFirst()).isTrue();
    assertThat(outcomes.seen.get(0)).hasOnlyElementsOfType(Outcome.Duplicate.class);
    assertThat(effects).containsExactly("a elsewhere");
    assertThat(bypassed).isEmpty();
  }

  @Test
  void failures_right_after_a_stop_do_not_show_an_outage_during_the_stop() throws Exception {
    hangs = (verb, items) -> claims(verb, items, "a");
    Outcomes outcomes = submitAlone(engine(), "a");
    doneElsewhere("a");

    toFail.set(3); // the connections have not outlived it
    stopsDuringTheCallFor(PATIENT.multipliedBy(10));

    assertThat(outcomes.awaitFirst()).isTrue();
    assertThat(outcomes.seen.get(0)).hasOnlyElementsOfType(Outcome.Duplicate.class);
    assertThat(bypassed).isEmpty();
  }

  @Test
  void a_suspect_whose_claim_alone_was_on_its_way_is_claimed_again() throws Exception {
    marks.claim(List.of(elsewhere("a")), Duration.ofMinutes(1));
    clock.advance(Duration.ofMinutes(2));
    hangs = (verb, items) -> claims(verb, items, "a") && claimOf(items).terms().solo();
    Outcomes outcomes = submitAlone(engine(), "a");

    stopsDuringTheCallFor(PATIENT.multipliedBy(10));

    assertThat(outcomes.awaitFirst()).isTrue();
    assertThat(outcomes.seen.get(0)).hasOnlyElementsOfType(Outcome.Executed.class);
    assertThat(bypassed).isEmpty();
  }

  @Test
  void what_was_being_settled_is_settled_again() throws Exception {
    hangs = (verb, items) -> verb.equals("settle");
    Outcomes outcomes = submitAlone(engine(), "a");

    stopsDuringTheCallFor(PATIENT.multipliedBy(10));

    assertThat(outcomes.awaitFirst()).isTrue();
    assertThat(outcomes.seen.get(0)).hasOnlyElementsOfType(Outcome.Executed.class);
    assertThat(mark("a").state()).isEqualTo(MarkState.DONE);
    assertThat(bypassed).isEmpty();
  }

  @Test
  void a_bypassing_receiver_calls_the_store_again_after_a_stop() throws Exception {
    Engine<String> engine = engine();
    away = true;
    Outcomes first = submitAlone(engine, "first");
    for (int i = 0; i < 2; i++) {
      awaitFailures(2);
      nanos.addAndGet(HALF.toNanos());
    }
    assertThat(first.awaitFirst()).isTrue();
    assertThat(bypassed).containsExactly("NOT_CLAIMED first");

    away = false;
    nanos.addAndGet(PATIENT.multipliedBy(10).toNanos());

    assertThat(engine.receive(lane("p0", "a"), PATIENCE).get(0))
        .isInstanceOf(Outcome.Executed.class);
    assertThat(bypassed).containsExactly("NOT_CLAIMED first");
  }

  @Test
  void a_hung_call_shows_no_outage_before_the_latest_answer() throws Exception {
    hangs = (verb, items) -> claims(verb, items, "a");
    Engine<String> engine = engine();
    Outcomes hung = submitAlone(engine, "a");
    assertThat(hanging.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    nanos.addAndGet(PATIENT.toNanos());
    assertThat(engine.receive(lane("p0", "b"), PATIENCE).get(0))
        .isInstanceOf(Outcome.Executed.class);

    away = true;
    goesOn.countDown();
    awaitFailures(1);
    assertThat(hung.seen.get(0)).as("outcome after one hung call and another").isEmpty();
    nanos.addAndGet(HALF.toNanos());
    awaitFailures(2);
    submitAlone(engine, "c");

    Awaitility.await().atMost(PATIENCE).until(() -> claimed.contains("c"));
    assertThat(bypassed).doesNotContain("NOT_CLAIMED c");
  }
}
