package io.hapax.rocketmq.grpc;

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
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The way of another process to the same marks: it may be cut, and calls on it are counted.
 * Receivers of one store object know what each other runs.
 */
final class Marks implements DedupStore {

  final AtomicInteger claims = new AtomicInteger();
  final AtomicInteger settlements = new AtomicInteger();
  volatile boolean cut;

  private final DedupStore marks;

  Marks(DedupStore marks) {
    this.marks = marks;
  }

  private DedupStore reached() {
    if (cut) {
      throw new StoreException("the way to the marks is cut");
    }
    return marks;
  }

  @Override
  public List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
    claims.incrementAndGet();
    return reached().claim(requests, lease);
  }

  @Override
  public List<RenewAnswer> renew(List<Claim> claims, Duration lease) {
    return reached().renew(claims, lease);
  }

  @Override
  public List<SettleAnswer> settle(List<Settlement> settlements) {
    this.settlements.incrementAndGet();
    return reached().settle(settlements);
  }

  @Override
  public List<Optional<Mark>> find(List<MessageKey> keys) {
    return reached().find(keys);
  }

  @Override
  public List<Mark> list(MarkQuery query) {
    return reached().list(query);
  }

  @Override
  public boolean resolve(
      MessageKey key, long expectedToken, MarkState expectedState, Resolution resolution) {
    return reached().resolve(key, expectedToken, expectedState, resolution);
  }

  @Override
  public int purge(int limit) {
    return reached().purge(limit);
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
