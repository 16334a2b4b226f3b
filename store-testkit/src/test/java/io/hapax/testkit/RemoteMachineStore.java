package io.hapax.testkit;

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
import io.hapax.store.MarkQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A client of a {@link MachineStore} in another process. */
class RemoteMachineStore<S extends MachineStore> implements DedupStore {

  private final HeapConnection line;
  private final S target;

  RemoteMachineStore(HeapConnection line, S target) {
    this.line = line;
    this.target = target;
  }

  HeapConnection line() {
    return line;
  }

  S target() {
    return target;
  }

  @Override
  public List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
    return line.ask(() -> target.claim(requests, lease));
  }

  @Override
  public List<RenewAnswer> renew(List<Claim> claims, Duration lease) {
    return line.ask(() -> target.renew(claims, lease));
  }

  @Override
  public List<SettleAnswer> settle(List<Settlement> settlements) {
    return line.ask(() -> target.settle(settlements));
  }

  @Override
  public Instant now(MessageKey key) {
    return line.ask(() -> target.now(key));
  }

  @Override
  public List<Optional<Mark>> find(List<MessageKey> keys) {
    return line.ask(() -> target.find(keys));
  }

  @Override
  public List<Mark> list(MarkQuery query) {
    return line.ask(() -> target.list(query));
  }

  @Override
  public boolean resolve(
      MessageKey key, long expectedToken, MarkState expectedState, Resolution resolution) {
    return line.ask(() -> target.resolve(key, expectedToken, expectedState, resolution));
  }

  @Override
  public int purge(int limit) {
    return line.ask(() -> target.purge(limit));
  }

  @Override
  public Duration retention() {
    return target.retention();
  }

  @Override
  public void close() {
    line.close();
  }
}
