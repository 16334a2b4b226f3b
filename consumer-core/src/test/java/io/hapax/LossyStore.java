package io.hapax;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.Resolution;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.store.DedupStore;
import io.hapax.store.InMemoryDedupStore;
import io.hapax.store.MarkQuery;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A store that can lose single marks: each key lies in a map of its own. Mutants override a verb.
 */
class LossyStore implements DedupStore {

  private static final Duration RETENTION = Duration.ofDays(8);

  private final Map<MessageKey, InMemoryDedupStore> stores = new ConcurrentHashMap<>();
  private final InstantSource clock;

  LossyStore(InstantSource clock) {
    this.clock = clock;
  }

  private InMemoryDedupStore of(MessageKey key) {
    return stores.computeIfAbsent(key, any -> new InMemoryDedupStore(clock, RETENTION));
  }

  /** Forgets what it knows of a message; false if it is done. */
  synchronized boolean loseUnlessDone(MessageKey key) {
    return !done(key) && stores.remove(key) != null;
  }

  synchronized boolean done(MessageKey key) {
    return of(key).find(List.of(key)).get(0).stream()
        .anyMatch(mark -> mark.state() == MarkState.DONE);
  }

  ClaimAnswer claim(ClaimRequest request, Duration lease) {
    return of(request.key()).claim(List.of(request), lease).get(0);
  }

  SettleAnswer settle(Settlement settlement) {
    return of(settlement.claim().key()).settle(List.of(settlement)).get(0);
  }

  /** What it knows of a message, if anything. */
  Optional<Mark> mark(MessageKey key) {
    return of(key).find(List.of(key)).get(0);
  }

  void forget(MessageKey key) {
    stores.remove(key);
  }

  @Override
  public synchronized List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
    return requests.stream().map(it -> claim(it, lease)).toList();
  }

  @Override
  public synchronized List<RenewAnswer> renew(List<Claim> claims, Duration lease) {
    return claims.stream()
        .map(it -> of(it.key()).renew(List.of(it), lease).get(0))
        .toList();
  }

  @Override
  public synchronized List<SettleAnswer> settle(List<Settlement> settlements) {
    return settlements.stream().map(this::settle).toList();
  }

  @Override
  public Instant now(MessageKey key) {
    return of(key).now(key);
  }

  @Override
  public List<Optional<Mark>> find(List<MessageKey> keys) {
    return keys.stream().map(key -> of(key).find(List.of(key)).get(0)).toList();
  }

  @Override
  public List<Mark> list(MarkQuery query) {
    return List.of();
  }

  @Override
  public boolean resolve(
      MessageKey key, long expectedToken, MarkState expectedState, Resolution resolution) {
    return of(key).resolve(key, expectedToken, expectedState, resolution);
  }

  @Override
  public int purge(int limit) {
    return 0;
  }

  @Override
  public Duration retention() {
    return RETENTION;
  }

  @Override
  public void close() {
    // Nothing was opened.
  }
}
