package io.hapax.redis;

import io.hapax.mark.ClaimRequest;
import io.hapax.servers.LocalRedis;
import io.hapax.servers.LocalRedisCluster;
import io.lettuce.core.cluster.SlotHash;

/** Where a cluster of three masters keeps the shards of the default namespace. */
final class Slots {

  static final Keyspace KEYSPACE = new Keyspace("hapax", 64, new Layout.Strings());
  private static final int SHARE = 5462;

  private Slots() {}

  static int slotOf(int shard) {
    return SlotHash.getSlot(KEYSPACE.canary(shard));
  }

  static int slotOf(ClaimRequest request) {
    return slotOf(KEYSPACE.shardOf(request.key()));
  }

  static LocalRedis nodeOf(int slot, LocalRedisCluster cluster) {
    return cluster.nodes().get(slot / SHARE);
  }

  static LocalRedis nodeOf(ClaimRequest request, LocalRedisCluster cluster) {
    return nodeOf(slotOf(request), cluster);
  }

  /** Returns a master that does not hold the layout. */
  static LocalRedis withoutLayout(LocalRedisCluster cluster) {
    return cluster.nodes().get((SlotHash.getSlot(KEYSPACE.layoutKey()) / SHARE + 1) % 3);
  }
}
