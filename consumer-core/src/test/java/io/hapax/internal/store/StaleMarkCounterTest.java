package io.hapax.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.StaleMarkSettings;
import io.hapax.StaleMarks;
import io.hapax.health.Problem;
import io.hapax.internal.message.TestMessages;
import io.hapax.internal.runtime.ManualThreads;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StaleMarkCounterTest {

  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final StaleMarkSettings SETTINGS = new StaleMarkSettings(Duration.ofMinutes(1), 3);

  private final TestMessages messages = new TestMessages();
  private final ManualThreads threads = messages.threads;
  private final TestStore store = new TestStore(threads);
  private final GenerationWatch generation = new GenerationWatch(
      store,
      "orders",
      Duration.ofSeconds(10),
      threads.env(),
      messages.events);
  private final StaleMarkCounter counter =
      new StaleMarkCounter(store, SETTINGS, generation, threads.threads(), messages.events);

  @BeforeEach
  void readTheGeneration() {
    generation.start();
    threads.run();
  }

  private void claim(String id) {
    ClaimRequest request = new ClaimRequest(
        MessageKey.of("orders", id),
        new Nonce(1, id.hashCode()),
        Fingerprint.NONE,
        Origin.NONE,
        new ClaimTerms(false, true, ClaimTerms.ANY_TIME));
    var unused = store.claim(List.of(request), LEASE);
    threads.advance(Duration.ofSeconds(1));
  }

  private StaleMarks count() {
    counter.start();
    threads.run();
    return counter.latest().orElseThrow();
  }

  @Test
  void a_mark_is_stale_once_its_lease_has_expired() {
    claim("A");
    claim("B");
    assertThat(count().stale()).isZero();

    threads.advance(LEASE);

    StaleMarks found = count();
    assertThat(found.stale()).isEqualTo(2);
    assertThat(found.complete()).isTrue();
    assertThat(found.oldest().map(Mark::key)).hasValue(MessageKey.of("orders", "A"));
  }

  @Test
  void counting_ends_at_the_limit_and_says_so() {
    List.of("A", "B", "C", "D").forEach(this::claim);
    threads.advance(LEASE);

    assertThat(count().stale()).isEqualTo(3);
    assertThat(count().complete()).isFalse();
  }

  @Test
  void a_count_that_fails_is_a_problem_until_the_next_one() {
    var unused = count();
    store.down = true;
    threads.advance(SETTINGS.interval());
    assertThat(counter.latest()).isEmpty();
    assertThat(messages.problems()).contains(Problem.Kind.STALE_MARKS);

    store.down = false;
    threads.advance(SETTINGS.interval());

    assertThat(counter.latest()).isPresent();
    assertThat(messages.problems()).doesNotContain(Problem.Kind.STALE_MARKS);
  }
}
