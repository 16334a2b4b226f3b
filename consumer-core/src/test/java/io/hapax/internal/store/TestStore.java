package io.hapax.internal.store;

import io.hapax.internal.runtime.ManualThreads;
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
import io.hapax.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A store in memory whose time is the test's. It fails while the test wants it to. */
public final class TestStore implements DedupStore {

  private final DedupStore marks;

  /** The calls since the test last cleared the list, with the number of their items. */
  public final List<String> calls = new ArrayList<>();

  public boolean down;

  /** Whether the store answers reads but refuses every write. */
  public boolean readOnly;

  public TestStore(ManualThreads threads) {
    marks = new InMemoryDedupStore(
        () -> Instant.parse("2026-01-01T12:00:00Z").plusNanos(threads.nanos()), Duration.ofDays(8));
  }

  private <A> A call(String verb, int items, boolean write, Supplier<A> call) {
    calls.add(verb + " " + items);
    if (down || (readOnly && write)) {
      throw new StoreException("the store is down");
    }
    return call.get();
  }

  @Override
  public List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
    boolean write = requests.stream().anyMatch(it -> it.terms().notAfter().isAfter(Instant.EPOCH));
    return call("claim", requests.size(), write, () -> marks.claim(requests, lease));
  }

  @Override
  public List<RenewAnswer> renew(List<Claim> claims, Duration lease) {
    return call("renew", claims.size(), true, () -> marks.renew(claims, lease));
  }

  @Override
  public List<SettleAnswer> settle(List<Settlement> settlements) {
    return call("settle", settlements.size(), true, () -> marks.settle(settlements));
  }

  @Override
  public List<Optional<Mark>> find(List<MessageKey> keys) {
    return call("find", keys.size(), false, () -> marks.find(keys));
  }

  @Override
  public List<Mark> list(MarkQuery query) {
    return call("list", query.limit(), false, () -> marks.list(query));
  }

  @Override
  public boolean resolve(
      MessageKey key, long expectedToken, MarkState expectedState, Resolution resolution) {
    return marks.resolve(key, expectedToken, expectedState, resolution);
  }

  @Override
  public int purge(int limit) {
    return marks.purge(limit);
  }

  @Override
  public Duration retention() {
    return marks.retention();
  }

  @Override
  public void close() {}
}
