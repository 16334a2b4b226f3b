package io.hapax.redis;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches for a server that has lost its data: each shard has a key that nobody ever changes, and a
 * claim that finds another one, or none, has found a shard that forgot its marks.
 */
final class Canaries {

  private static final Logger LOG = LoggerFactory.getLogger(Canaries.class);

  private final AtomicReferenceArray<byte[]> known;
  private final RedisStoreListener listener;

  Canaries(int shards, RedisStoreListener listener) {
    this.known = new AtomicReferenceArray<>(shards);
    this.listener = listener;
  }

  /** Says what is there now; each change is told once. */
  void seen(int shard, byte[] canary) {
    byte[] before = known.get(shard);
    if (Arrays.equals(before, canary) || !known.compareAndSet(shard, before, canary)) {
      return;
    }
    if (before != null) {
      LOG.warn(
          "Redis has lost the marks of shard {}: its canary was {} and is {}; messages that were"
              + " done may run once more",
          shard,
          HexFormat.of().formatHex(before),
          HexFormat.of().formatHex(canary));
      listener.dataLost(shard);
    }
  }
}
