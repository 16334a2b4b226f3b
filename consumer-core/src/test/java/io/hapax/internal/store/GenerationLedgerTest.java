package io.hapax.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.generation.GenerationMove;
import io.hapax.internal.runtime.ManualThreads;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class GenerationLedgerTest {

  private final TestStore store = new TestStore(new ManualThreads());

  private GenerationMove advance(int expected) {
    return GenerationLedger.advance(store, "orders", expected);
  }

  @Test
  void a_consumer_begins_with_generation_0_and_moves_one_by_one() {
    assertThat(GenerationLedger.current(store, "orders")).isZero();

    for (int i = 0; i < 6; i++) {
      assertThat(advance(i)).isEqualTo(new GenerationMove.Moved(i + 1));
    }

    assertThat(GenerationLedger.current(store, "orders")).isEqualTo(6);
    assertThat(GenerationLedger.current(store, "payments")).isZero();
  }

  @Test
  void a_known_generation_is_found_in_one_call() {
    for (int i = 0; i < 20; i++) {
      var unused = advance(i);
    }
    store.calls.clear();

    assertThat(GenerationLedger.read(store, "orders", 20)).isEqualTo(20);

    assertThat(store.calls).containsExactly("find 5");
  }

  @Test
  void generations_that_have_begun_since_the_known_one_are_found() {
    for (int i = 0; i < 20; i++) {
      var unused = advance(i);
    }

    for (int known = 0; known < 20; known++) {
      assertThat(GenerationLedger.read(store, "orders", known)).isEqualTo(20);
    }
  }

  @Test
  void a_move_from_another_generation_than_expected_changes_nothing() {
    var unused = advance(0);

    assertThat(advance(0)).isEqualTo(new GenerationMove.Unexpected(1));
    assertThat(advance(7)).isEqualTo(new GenerationMove.Unexpected(1));
    assertThat(GenerationLedger.current(store, "orders")).isEqualTo(1);
  }

  @Test
  void a_consumer_with_leases_is_not_moved() {
    ClaimRequest running = new ClaimRequest(
        MessageKey.of("orders", "A"),
        new Nonce(1, 2),
        Fingerprint.NONE,
        Origin.NONE,
        new ClaimTerms(false, true, ClaimTerms.ANY_TIME));
    var unused = store.claim(List.of(running), Duration.ofSeconds(30));

    assertThat(advance(0)).isInstanceOf(GenerationMove.GroupRuns.class);
    assertThat(GenerationLedger.current(store, "orders")).isZero();
  }

  @Test
  void a_store_that_has_lost_the_known_generation_returns_a_smaller_one() {
    var unused = advance(0);

    assertThat(GenerationLedger.read(store, "orders", 9)).isEqualTo(1);
  }
}
