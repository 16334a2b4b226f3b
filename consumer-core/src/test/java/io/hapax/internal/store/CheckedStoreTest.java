package io.hapax.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.health.Problem;
import io.hapax.internal.message.TestMessages;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
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
  private final TestStore store = new TestStore(messages.threads);
  private final CheckedStore checked = new CheckedStore(store, messages.events);

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
}
