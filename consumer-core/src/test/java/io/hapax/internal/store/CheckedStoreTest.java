package io.hapax.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.health.Problem;
import io.hapax.internal.message.TestMessages;
import io.hapax.internal.runtime.ManualThreads;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.policy.StoreOutagePolicy;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckedStoreTest {

  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final ClaimRequest REQUEST = new ClaimRequest(
      MessageKey.of("orders", "A"),
      new Nonce(1, 2),
      Fingerprint.NONE,
      Origin.NONE,
      new ClaimTerms(false, true, ClaimTerms.ANY_TIME));

  private final TestMessages messages = new TestMessages();
  private final ManualThreads threads = messages.threads;
  private final TestStore store = new TestStore(threads);
  private final OutageDetector outage = new OutageDetector(
      store,
      StoreOutagePolicy.failOpen(Duration.ofSeconds(3)),
      "orders",
      threads.env(),
      messages.events);
  private final CheckedStore checked = new CheckedStore(store, messages.events, outage, threads);

  /** Lets probes fail until the store is bypassed; after that it answers the test. */
  private void bypass() {
    store.down = true;
    outage.failed(threads.nanos());
    threads.advance(Duration.ofSeconds(3));
    assertThat(outage.bypassed()).isTrue();
    store.down = false;
  }

  @Test
  void a_reply_of_another_length_is_refused() {
    assertThat(CheckedStore.complete("claim", 2, List.of(1, 2))).containsExactly(1, 2);
    assertThatThrownBy(() -> CheckedStore.complete("claim", 2, List.of(1)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("1 answers to 2 items of claim");
  }

  @Test
  void a_failed_call_is_a_problem_until_a_call_is_answered() {
    store.down = true;
    assertThatThrownBy(() -> checked.claim(List.of(REQUEST), LEASE))
        .isInstanceOf(StoreException.class);
    assertThat(messages.problems()).containsExactly(Problem.Kind.STORE);

    store.down = false;
    assertThat(checked.claim(List.of(REQUEST), LEASE)).hasSize(1);

    assertThat(messages.problems()).isEmpty();
  }

  @Test
  void an_acquired_claim_proves_that_the_store_writes() {
    bypass();

    var unused = checked.claim(List.of(REQUEST), LEASE);

    assertThat(outage.bypassed()).isFalse();
  }

  @Test
  void a_settlement_proves_a_write_only_where_its_caller_says_so() {
    Claim claim = ((ClaimAnswer.Acquired) store.claim(List.of(REQUEST), LEASE).get(0)).claim();
    List<Settlement> done = List.of(new Settlement(claim, Verdict.Done.WITHOUT_RESULT));
    bypass();

    var first = checked.settle(done, index -> false);
    assertThat(outage.bypassed()).isTrue();
    var second = checked.settle(done, index -> true);

    assertThat(outage.bypassed()).isFalse();
    assertThat(first).isEqualTo(second);
  }
}
