package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.internal.Engine;
import io.hapax.store.DedupStore;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A receiver that may go on without its store, both of whose calls that claim hang. */
class HungClaimsTest extends FailOpenFixture {

  private static final Set<String> HANGING = Set.of("first", "second");

  private final CountDownLatch hang = new CountDownLatch(2);
  private final CountDownLatch mayAnswer = new CountDownLatch(1);

  private final DedupStore store = faulty((verb, items, call) -> {
    if (verb.equals("claim") && items.stream().anyMatch(it -> HANGING.contains(idOf(it)))) {
      hang.countDown();
      mayAnswer.await();
    }
    if (away) {
      failures.incrementAndGet();
      throw new StoreException("connection refused");
    }
    return call.go();
  });

  @AfterEach
  void letGo() {
    mayAnswer.countDown();
  }

  @Test
  void hung_claims_do_not_block_after_fail_open() throws Exception {
    Engine<String> engine = recording(store);
    engine.receive(lane("p0", "before"), PATIENCE);
    submit(engine, "first");
    Awaitility.await().atMost(PATIENCE).until(() -> hang.getCount() == 1); // or they go together
    submit(engine, "second");
    assertThat(hang.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

    away = true;
    nanos.addAndGet(Duration.ofSeconds(21).toNanos()); // its generation has to be read, and cannot
    Outcomes waiting = submit(engine, "waiting");
    staysAwayUntil(waiting);

    assertThat(waiting.seen.get(0)).hasOnlyElementsOfType(Outcome.Unprotected.class);
    List<Outcome> later = engine.receive(lane("p1", "later"), PATIENCE);
    assertThat(later).hasOnlyElementsOfType(Outcome.Unprotected.class);
    assertThat(effects).containsExactly("before", "waiting", "later");
  }
}
