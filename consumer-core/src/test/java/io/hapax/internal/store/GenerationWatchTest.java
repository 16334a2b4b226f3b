package io.hapax.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.generation.GenerationMove;
import io.hapax.health.Problem;
import io.hapax.internal.message.TestMessages;
import io.hapax.internal.runtime.ManualThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GenerationWatchTest {

  private static final Duration INTERVAL = Duration.ofSeconds(5);

  private final TestMessages messages = new TestMessages();
  private final ManualThreads threads = messages.threads;
  private final TestStore store = new TestStore(threads);
  private final GenerationWatch watch =
      new GenerationWatch(store, "orders", INTERVAL, threads.env(), messages.events);
  private final List<String> events = new ArrayList<>();

  private void start() {
    watch.start();
    threads.run();
  }

  private void move(int from) {
    assertThat(GenerationLedger.advance(store, "orders", from))
        .isInstanceOf(GenerationMove.Moved.class);
  }

  @Test
  void claims_wait_until_the_generation_was_read() {
    store.down = true;
    watch.whenOpen(() -> true, () -> events.add("claimed"));
    start();
    assertThat(watch.open()).isFalse();
    assertThat(watch.scope()).isEmpty();

    store.down = false;
    threads.advance(INTERVAL);

    assertThat(watch.scope()).hasValue("orders");
    assertThat(watch.open()).isTrue();
    assertThat(events).containsExactly("claimed");
  }

  @Test
  void another_generation_ends_all_claims() {
    start();
    watch.whenMoved(() -> events.add("moved"));
    move(0);

    threads.advance(INTERVAL);

    assertThat(watch.moved()).isTrue();
    assertThat(watch.open()).isFalse();
    assertThat(events).containsExactly("moved");
    assertThat(messages.problems()).containsExactly(Problem.Kind.GENERATION);
  }

  @Test
  void a_queued_action_never_runs_once_the_generation_has_moved() {
    start();
    move(0);
    threads.advance(INTERVAL);

    watch.whenOpen(() -> true, () -> events.add("claimed"));
    threads.advance(INTERVAL);

    assertThat(events).isEmpty();
  }

  @Test
  void a_reading_is_fresh_for_two_intervals() {
    start();
    store.down = true;

    threads.advance(INTERVAL.multipliedBy(2));
    assertThat(watch.open()).isTrue();
    threads.advance(Duration.ofNanos(1));

    assertThat(watch.open()).isFalse();
  }

  @Test
  void a_claim_on_an_old_reading_is_sent_after_a_read_that_failed() {
    start();
    store.down = true;
    threads.advance(INTERVAL.multipliedBy(3));
    GenerationCheck check = watch.check();

    assertThat(check.seen()).isFalse();
    threads.run();

    assertThat(check.seen()).isTrue();
    assertThat(watch.open()).isFalse();
  }

  @Test
  void an_action_that_is_no_longer_wanted_is_dropped() {
    watch.whenOpen(() -> false, () -> events.add("claimed"));

    start();

    assertThat(events).isEmpty();
  }
}
