package io.hapax.operations;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
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
import io.hapax.store.InMemoryDedupStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The marks of the consumer {@code orders} in a store whose clock the test moves. */
public abstract class MarkFixture {

  protected static final Duration LEASE = Duration.ofMinutes(1);
  protected static final MessageKey KEY = key("a");

  protected Instant now = Instant.parse("2026-11-21T12:00:00Z");
  protected final InMemoryDedupStore store = new InMemoryDedupStore(() -> now, Duration.ofDays(8));
  private long nonces;

  protected static MessageKey key(String id) {
    return MessageKey.of("orders", id);
  }

  protected ClaimAnswer claimAnswer(
      MessageKey key, String coordinates, Fingerprint fingerprint, ClaimTerms terms) {
    ClaimRequest request = new ClaimRequest(
        key, new Nonce(7, ++nonces), fingerprint, new Origin("host-17", coordinates), terms);
    return store.claim(List.of(request), LEASE).get(0);
  }

  protected ClaimAnswer claimAnswer(Fingerprint fingerprint) {
    return claimAnswer(
        KEY, "orders-0@7", fingerprint, new ClaimTerms(true, true, ClaimTerms.ANY_TIME));
  }

  protected Claim claim(MessageKey key, String coordinates, Fingerprint fingerprint) {
    ClaimTerms terms = new ClaimTerms(true, true, ClaimTerms.ANY_TIME);
    return ((Acquired) claimAnswer(key, coordinates, fingerprint, terms)).claim();
  }

  protected Claim claim(String id, Fingerprint fingerprint) {
    return claim(key(id), "orders-0@7", fingerprint);
  }

  protected Claim claim(String id) {
    return claim(id, Fingerprint.NONE);
  }

  protected void settle(Claim claim, Verdict verdict) {
    store.settle(List.of(new Settlement(claim, verdict)));
  }

  protected void settle(String id, Verdict verdict) {
    settle(claim(id), verdict);
  }

  protected void settle(Verdict verdict) {
    settle("a", verdict);
  }

  protected void leasesEnd() {
    now = now.plus(LEASE).plusSeconds(1);
  }

  protected Mark mark(String id) {
    return store.find(List.of(key(id))).get(0).orElseThrow();
  }

  protected Mark mark() {
    return mark("a");
  }

  /** A call of the store. */
  @FunctionalInterface
  protected interface Call {
    Object make(Method verb, Object[] arguments) throws Exception;
  }

  /** Returns a store whose calls are made in this way. */
  protected static DedupStore observed(Call call) {
    return (DedupStore) Proxy.newProxyInstance(
        DedupStore.class.getClassLoader(),
        new Class<?>[] {DedupStore.class},
        (self, verb, arguments) -> {
          try {
            return call.make(verb, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }
}
