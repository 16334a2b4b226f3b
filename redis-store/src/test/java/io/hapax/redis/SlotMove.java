package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MessageKey;
import io.hapax.servers.LocalRedis;
import io.hapax.servers.LocalRedisCluster;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Moves a slot from its master to the next one, as an operator does, in a cluster of three masters.
 *
 * @param cluster the cluster
 * @param shard the shard of the slot, in the default namespace
 * @param from the old master
 * @param to the new master
 */
record SlotMove(LocalRedisCluster cluster, int shard, LocalRedis from, LocalRedis to) {

  /** Prepares the move of the slot that contains the message's mark. */
  static SlotMove of(ClaimRequest request, LocalRedisCluster cluster) {
    LocalRedis from = Slots.nodeOf(request, cluster);
    LocalRedis to = cluster.nodes().get((cluster.nodes().indexOf(from) + 1) % 3);
    return new SlotMove(cluster, Slots.KEYSPACE.shardOf(request.key()), from, to);
  }

  int slot() {
    return Slots.slotOf(shard);
  }

  /** Returns a key of the slot that is never written. */
  String absentKey() {
    return "hapax{" + shard + "}absent";
  }

  void begin() {
    String number = Integer.toString(slot());
    to.command("CLUSTER", "SETSLOT", number, "IMPORTING", from.command("CLUSTER", "MYID"));
    from.command("CLUSTER", "SETSLOT", number, "MIGRATING", to.command("CLUSTER", "MYID"));
  }

  /**
   * Moves the keys of the slot, and announces the new master to all masters.
   *
   * @param done messages with DONE marks, including those of other shards
   */
  void finish(List<MessageKey> done) {
    List<byte[]> keys = new ArrayList<>(Slots.KEYSPACE.common(shard, "orders"));
    keys.addAll(Slots.KEYSPACE.done(
        shard, done.stream().filter(key -> Slots.KEYSPACE.shardOf(key) == shard).toList()));
    for (byte[] key : keys) {
      String name = new String(key, StandardCharsets.ISO_8859_1);
      from.command("MIGRATE", "127.0.0.1", Integer.toString(to.port()), name, "0", "5000");
    }
    String number = Integer.toString(slot());
    assertThat(from.command("CLUSTER", "COUNTKEYSINSLOT", number)).isEqualTo("0");
    assertThat(to.command("CLUSTER", "COUNTKEYSINSLOT", number)).isNotEqualTo("0");
    String owner = to.command("CLUSTER", "MYID");
    cluster.nodes().forEach(node -> node.command("CLUSTER", "SETSLOT", number, "NODE", owner));
  }
}
