package io.hapax.redis;

import io.hapax.store.StoreException;
import io.hapax.store.StoreLoss;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Detects a server that has lost its data. Each shard has a canary: a key that no store changes. A
 * claim that finds another canary, or none, has found a shard that lost its marks.
 *
 * <p>The server may also have lost the layout that the stores agreed on, and another store may have
 * written a different one since. So no claim is answered until the layout is agreed on again.
 */
final class DataLossDetector {

  private final AtomicReferenceArray<byte[]> canaries;
  private final DataLossReporter reporter;
  private final Runnable agreement;
  private final BoundedLock lock;
  private volatile boolean agreed = true;

  /**
   * Starts without a known canary. The agreement with the other stores on the layout may throw a
   * {@link StoreException}.
   */
  DataLossDetector(int shards, DataLossReporter reporter, Runnable agreement, Duration timeout) {
    this.canaries = new AtomicReferenceArray<>(shards);
    this.reporter = reporter;
    this.agreement = agreement;
    this.lock = new BoundedLock(timeout);
  }

  /**
   * Compares the canary that a claim has read with the known one. Reports each change once, before
   * any caller that has read the new canary returns.
   *
   * @throws StoreException if the layout is not agreed on
   */
  void verify(int shard, byte[] canary) {
    if (agreed && Arrays.equals(canaries.get(shard), canary)) {
      return;
    }
    lock.runExclusively(() -> update(shard, canary));
    if (!agreed) {
      throw new StoreException("Redis has lost marks, and the layout of marks is being agreed on"
          + " again: repeat the call");
    }
  }

  private void update(int shard, byte[] canary) {
    byte[] before = canaries.get(shard);
    if (!Arrays.equals(before, canary)) {
      if (before != null) {
        agreed = false;
        reporter.report(
            new StoreLoss("shard " + shard, StoreLoss.Extent.EVERYTHING),
            "its canary was " + HexFormat.of().formatHex(before) + " and is "
                + HexFormat.of().formatHex(canary));
      }
      canaries.set(shard, canary);
    }
    if (!agreed) {
      agreement.run();
      agreed = true;
    }
  }
}
