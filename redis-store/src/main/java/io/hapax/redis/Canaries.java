package io.hapax.redis;

import io.hapax.store.StoreException;
import io.hapax.store.StoreLoss;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Watches for a server that has lost its data: each shard has a key that nobody ever changes, and a
 * claim that finds another one, or none, has found a shard that forgot its marks.
 *
 * <p>What was agreed on with other stores, how marks are laid out, may be gone too, and somebody
 * may have written something else since. So nothing is claimed before it is agreed on again.
 */
final class Canaries {

  private final AtomicReferenceArray<byte[]> known;
  private final Losses losses;
  private final Runnable agreement;
  private final Turn turn;
  private volatile boolean agreed = true;

  /**
   * Knows none yet.
   *
   * @param shards how many shards there are
   * @param losses is told
   * @param agreement agrees with the other stores, or throws a {@link StoreException}
   * @param patience how long anybody waits for who does both
   */
  Canaries(int shards, Losses losses, Runnable agreement, Duration patience) {
    this.known = new AtomicReferenceArray<>(shards);
    this.losses = losses;
    this.agreement = agreement;
    this.turn = new Turn(patience);
  }

  /**
   * Says what is there now; each change is told once, before anybody comes back who has seen it.
   *
   * @throws StoreException if it is not agreed how marks are laid out
   */
  void seen(int shard, byte[] canary) {
    if (agreed && Arrays.equals(known.get(shard), canary)) {
      return;
    }
    turn.take(() -> look(shard, canary));
    if (!agreed) {
      throw new StoreException("Redis has lost marks, and how the others are laid out is being"
          + " agreed on: send it again");
    }
  }

  private void look(int shard, byte[] canary) {
    byte[] before = known.get(shard);
    if (!Arrays.equals(before, canary)) {
      if (before != null) {
        agreed = false;
        losses.tell(
            new StoreLoss("shard " + shard, StoreLoss.Extent.EVERYTHING),
            "its canary was " + HexFormat.of().formatHex(before) + " and is "
                + HexFormat.of().formatHex(canary));
      }
      known.set(shard, canary);
    }
    if (!agreed) {
      agreement.run();
      agreed = true;
    }
  }
}
