package io.hapax.redis;

import io.hapax.store.StoreLoss;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Watches for a server that has lost its data: each shard has a key that nobody ever changes, and a
 * claim that finds another one, or none, has found a shard that forgot its marks.
 */
final class Canaries {

  private final AtomicReferenceArray<byte[]> known;
  private final Losses losses;

  Canaries(int shards, Losses losses) {
    this.known = new AtomicReferenceArray<>(shards);
    this.losses = losses;
  }

  /** Says what is there now; each change is told once. */
  void seen(int shard, byte[] canary) {
    byte[] before = known.get(shard);
    if (Arrays.equals(before, canary) || !known.compareAndSet(shard, before, canary)) {
      return;
    }
    if (before != null) {
      losses.tell(
          new StoreLoss("shard " + shard, StoreLoss.Extent.EVERYTHING),
          "its canary was " + HexFormat.of().formatHex(before) + " and is "
              + HexFormat.of().formatHex(canary));
    }
  }
}
