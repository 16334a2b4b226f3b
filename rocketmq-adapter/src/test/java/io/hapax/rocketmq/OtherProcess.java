package io.hapax.rocketmq;

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
import java.util.List;
import java.util.Optional;

/**
 * The same marks, as another process sees them: receivers of one store object know what each other
 * runs.
 */
record OtherProcess(DedupStore marks) implements DedupStore {

  @Override
  public List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
    return marks.claim(requests, lease);
  }

  @Override
  public List<RenewAnswer> renew(List<Claim> claims, Duration lease) {
    return marks.renew(claims, lease);
  }

  @Override
  public List<SettleAnswer> settle(List<Settlement> settlements) {
    return marks.settle(settlements);
  }

  @Override
  public List<Optional<Mark>> find(List<MessageKey> keys) {
    return marks.find(keys);
  }

  @Override
  public List<Mark> list(MarkQuery query) {
    return marks.list(query);
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
  public void close() {
    marks.close();
  }
}
