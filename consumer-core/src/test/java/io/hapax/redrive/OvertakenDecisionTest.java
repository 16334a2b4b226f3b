package io.hapax.redrive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.mark.Resolution;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.DedupStore;
import io.hapax.store.InMemoryDedupStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Decisions of operators whose mark moves between their look and the decision. */
class OvertakenDecisionTest {

  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final MessageKey KEY = MessageKey.of("orders", "a");
  private static final Fingerprint FIRST = new Fingerprint(13);

  private Instant now = Instant.parse("2026-11-22T12:00:00Z");
  private final InMemoryDedupStore store = new InMemoryDedupStore(() -> now, Duration.ofDays(8));
  private long nonces;

  private ClaimRequest request(Fingerprint fingerprint) {
    return new ClaimRequest(
        KEY,
        new Nonce(7, ++nonces),
        fingerprint,
        new Origin("host-17", "orders-0@7"),
        new ClaimTerms(true, true, ClaimTerms.ANY_TIME));
  }

  private Claim claim(Fingerprint fingerprint) {
    return ((Acquired) store.claim(List.of(request(fingerprint)), LEASE).get(0)).claim();
  }

  private Mark mark() {
    return store.find(List.of(KEY)).get(0).orElseThrow();
  }

  /** The store, in which something happens just before a decision is carried out. */
  private DedupStore before(Runnable event) {
    return (DedupStore) Proxy.newProxyInstance(
        DedupStore.class.getClassLoader(),
        new Class<?>[] {DedupStore.class},
        (self, verb, args) -> {
          if (verb.getName().equals("resolve")) {
            event.run();
          }
          try {
            return verb.invoke(store, args);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }

  private void reopenedWhileItsOwnerSettlesDone(Resolution resolution, boolean stale) {
    Claim late = claim(FIRST);
    if (stale) {
      now = now.plus(LEASE).plusSeconds(1);
    }
    // The operator saw PROCESSING; the owner's effect happens and is settled under the same token.
    DedupStore moving =
        before(() -> store.settle(List.of(new Settlement(late, Verdict.Done.WITHOUT_RESULT))));

    Optional<String> refusal = new MarkOperations(moving, "orders").resolve("a", resolution);

    assertThat(mark().state()).as("DONE stays; refusal was %s", refusal).isEqualTo(MarkState.DONE);
    assertThat(refusal).isPresent();
    assertThat(store.claim(List.of(request(FIRST)), LEASE).get(0)).isNotInstanceOf(Acquired.class);
  }

  @Test
  void a_stale_mark_that_its_late_owner_settles_done_is_not_reopened() {
    reopenedWhileItsOwnerSettlesDone(Resolution.REOPEN, true);
  }

  @Test
  void a_leased_mark_that_its_owner_settles_done_is_not_reopened_by_force() {
    reopenedWhileItsOwnerSettlesDone(Resolution.REOPEN.force(), false);
  }

  /** The operator saw a claim whose owner seemed to be dead, and believes that it took effect. */
  @Test
  void a_stale_mark_that_its_late_owner_settles_as_retry_is_not_forced_done() {
    Claim late = claim(FIRST);
    now = now.plus(LEASE).plusSeconds(1);
    DedupStore moving = before(() ->
        store.settle(List.of(new Settlement(late, new Verdict.Retry(Duration.ZERO, false)))));

    Optional<String> refusal =
        new MarkOperations(moving, "orders").resolve("a", Resolution.FORCE_DONE);

    assertThat(mark().state())
        .as("it moved from PROCESSING to RETRY since; refusal was %s", refusal)
        .isEqualTo(MarkState.RETRY);
    assertThat(refusal).isPresent();
  }
}
