package io.hapax.store;

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
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Passes each call to another store; a test overrides the calls that it changes. */
public abstract class ForwardingDedupStore implements DedupStore {

  private final DedupStore store;

  protected ForwardingDedupStore(DedupStore store) {
    this.store = store;
  }

  @Override
  public List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
    return store.claim(requests, lease);
  }

  @Override
  public List<RenewAnswer> renew(List<Claim> claims, Duration lease) {
    return store.renew(claims, lease);
  }

  @Override
  public List<SettleAnswer> settle(List<Settlement> settlements) {
    return store.settle(settlements);
  }

  @Override
  public Instant now(MessageKey key) {
    return store.now(key);
  }

  @Override
  public List<Optional<Mark>> find(List<MessageKey> keys) {
    return store.find(keys);
  }

  @Override
  public List<Mark> list(MarkQuery query) {
    return store.list(query);
  }

  @Override
  public boolean resolve(
      MessageKey key, long expectedToken, MarkState expectedState, Resolution resolution) {
    return store.resolve(key, expectedToken, expectedState, resolution);
  }

  @Override
  public int purge(int limit) {
    return store.purge(limit);
  }

  @Override
  public Duration retention() {
    return store.retention();
  }

  @Override
  public void close() {
    store.close();
  }
}
