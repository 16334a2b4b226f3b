package io.hapax.console;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Writes marks as consumers do. */
public final class Marks {

  public static final String CONSUMER = "billing";
  public static final String OWNER = "shop-7-4711/billing";

  private static final AtomicLong CLAIMS = new AtomicLong();

  private Marks() {}

  public static Claim claimed(DedupStore store, String id, Duration lease) {
    ClaimRequest request = request(id);
    return ((Acquired) store.claim(List.of(request), lease).get(0)).claim();
  }

  public static ClaimRequest request(String id) {
    return request(id, "orders-0@17");
  }

  public static ClaimRequest request(String id, String coordinates) {
    return new ClaimRequest(
        MessageKey.of(CONSUMER, id),
        new Nonce(7, CLAIMS.incrementAndGet()),
        Fingerprint.NONE,
        new Origin(OWNER, coordinates),
        new ClaimTerms(false, true, ClaimTerms.ANY_TIME));
  }

  /** Claims messages whose handlers fail and leave their effects in doubt. */
  public static void inDoubt(DedupStore store, List<ClaimRequest> requests) {
    Verdict failed = new Verdict.Retry(Duration.ofMillis(1), true);
    store.settle(store.claim(requests, Duration.ofMinutes(1)).stream()
        .map(it -> new Settlement(((Acquired) it).claim(), failed))
        .toList());
  }

  public static void dead(DedupStore store, String id, String reason) {
    Claim claim = claimed(store, id, Duration.ofMinutes(1));
    store.settle(List.of(new Settlement(claim, new Verdict.Dead(reason))));
  }

  public static void done(DedupStore store, String id) {
    Claim claim = claimed(store, id, Duration.ofMinutes(1));
    store.settle(List.of(new Settlement(claim, Verdict.Done.WITHOUT_RESULT)));
  }

  public static Mark of(DedupStore store, String id) {
    return store.find(List.of(MessageKey.of(CONSUMER, id))).get(0).orElseThrow();
  }
}
