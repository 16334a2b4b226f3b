package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.internal.Engine;
import io.hapax.internal.runtime.Platform;
import io.hapax.store.StoreException;
import io.hapax.store.TransactionalDedupStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Checks the lookup of DONE marks before a transactional receiver opens a transaction. */
class DuplicateLookupTest extends TransactionFixture {

  private static final LeaseSettings SELDOM =
      new LeaseSettings(Duration.ofHours(9), Duration.ofHours(2), Duration.ofSeconds(5));

  private final AtomicLong nanos = new AtomicLong();
  private final List<String> calls = new CopyOnWriteArrayList<>();
  private final CountDownLatch goesOn = new CountDownLatch(1);
  private volatile String failing = "";
  private volatile boolean hanging;

  private final TransactionalDedupStore<String> store = transactions((verb, items, call) -> {
    if (verb.equals("findDone") || verb.equals("runOnce")) {
      calls.add(verb + " " + items.size());
    }
    if (verb.equals("runOnce") && hanging) {
      goesOn.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    if (verb.equals(failing)) {
      hanging = verb.equals("runOnce"); // its next call
      failing = "";
      throw new StoreException("no answer");
    }
    return call.go();
  });

  private final Engine<String> engine = opened(Engine.transactional(
      engineSettings(SELDOM),
      store,
      (transaction, deliveries) -> deliveries.forEach(this::record),
      Platform.with(nanos::get)));

  /** Returns the calls for these messages. */
  private List<String> callsFor(String... messages) throws InterruptedException {
    calls.clear();
    assertThat(engine.receive(lane("p0", messages), PATIENCE)).allMatch(Outcome::mayAcknowledge);
    return List.copyOf(calls);
  }

  @Test
  void fresh_messages_cost_no_further_look_up() throws Exception {
    assertThat(callsFor("a", "b")).containsExactly("findDone 2", "runOnce 2");

    assertThat(callsFor("c", "d")).containsExactly("runOnce 2");
    assertThat(callsFor("a", "e", "f")).as("a third of them done").containsExactly("runOnce 3");
    assertThat(callsFor("g")).containsExactly("runOnce 1");
  }

  @Test
  void a_transaction_with_as_many_duplicates_as_others_starts_look_ups_again() throws Exception {
    callsFor("a");
    assertThat(callsFor("a", "b")).containsExactly("runOnce 2");

    assertThat(callsFor("a", "b", "c")).containsExactly("findDone 3", "runOnce 1");
    assertThat(callsFor("a", "b")).as("known messages only").containsExactly("findDone 2");
    assertThat(effects).containsExactly("a", "b", "c");
  }

  @Test
  void a_look_up_that_fails_leaves_everything_to_the_transaction() throws Exception {
    callsFor("a");
    callsFor("a");
    failing = "findDone";

    assertThat(callsFor("a")).containsExactly("findDone 1", "runOnce 1");
    assertThat(effects).containsExactly("a");
  }

  @Test
  void known_messages_show_that_the_store_answers_again() throws Exception {
    callsFor("a");
    callsFor("a");
    failing = "runOnce";
    engine.submit(lane("p1", "a", "b"), new Outcomes(2));
    eventually(() -> calls.size() == 4);
    assertThat(engine.health().storeReachable()).isFalse();

    assertThat(callsFor("a")).containsExactly("findDone 1");

    eventually(() -> engine.health().storeReachable());
    goesOn.countDown();
  }

  @Test
  void nothing_is_looked_up_under_a_generation_that_was_not_read_lately() throws Exception {
    callsFor("a");
    callsFor("a");
    failing = "find";
    nanos.addAndGet(Duration.ofHours(9).toNanos());

    assertThat(callsFor("a")).containsExactly("runOnce 1");
  }
}
