package io.hapax.operations.redrive;

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
abstract class MarkFixture {

  static final Duration LEASE = Duration.ofMinutes(1);
  static final MessageKey KEY = key("a");

  Instant now = Instant.parse("2026-11-21T12:00:00Z");
  final InMemoryDedupStore store = new InMemoryDedupStore(() -> now, Duration.ofDays(8));
  private long nonces;

  static MessageKey key(String id) {
    return MessageKey.of("orders", id);
  }

  ClaimAnswer claimAnswer(
      MessageKey key, String coordinates, Fingerprint fingerprint, ClaimTerms terms) {
    ClaimRequest request = new ClaimRequest(
        key, new Nonce(7, ++nonces), fingerprint, new Origin("host-17", coordinates), terms);
    return store.claim(List.of(request), LEASE).get(0);
  }

  ClaimAnswer claimAnswer(Fingerprint fingerprint) {
    return claimAnswer(
        KEY, "orders-0@7", fingerprint, new ClaimTerms(true, true, ClaimTerms.ANY_TIME));
  }

  Claim claim(MessageKey key, String coordinates, Fingerprint fingerprint) {
    ClaimTerms terms = new ClaimTerms(true, true, ClaimTerms.ANY_TIME);
    return ((Acquired) claimAnswer(key, coordinates, fingerprint, terms)).claim();
  }

  Claim claim(String id, Fingerprint fingerprint) {
    return claim(key(id), "orders-0@7", fingerprint);
  }

  Claim claim(String id) {
    return claim(id, Fingerprint.NONE);
  }

  void settle(Claim claim, Verdict verdict) {
    store.settle(List.of(new Settlement(claim, verdict)));
  }

  void settle(String id, Verdict verdict) {
    settle(claim(id), verdict);
  }

  void leasesEnd() {
    now = now.plus(LEASE).plusSeconds(1);
  }

  Mark mark(String id) {
    return store.find(List.of(key(id))).get(0).orElseThrow();
  }

  /** A call of the store. */
  @FunctionalInterface
  interface Call {
    Object make(Method verb, Object[] arguments) throws Exception;
  }

  /** Returns a store whose calls are made in this way. */
  static DedupStore observed(Call call) {
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
