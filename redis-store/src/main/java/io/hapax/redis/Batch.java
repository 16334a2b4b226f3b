package io.hapax.redis;

import io.hapax.mark.MessageKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The items of one script, by their positions in the caller's list: items of the same shard and
 * scope, at most {@value #LARGEST} of them.
 */
record Batch(int shard, String scope, List<Integer> positions) {

  /** The maximum number of items of one script; Redis runs nothing else meanwhile. */
  static final int LARGEST = 128;

  private record Group(int shard, String scope) {}

  static <I> List<Batch> split(List<I> items, Function<I, MessageKey> key, Keyspace keyspace) {
    Map<Group, Batch> unfinished = new HashMap<>();
    List<Batch> batches = new ArrayList<>();
    Batch batch = new Batch(-1, "", List.of()); // usually has room for the next item
    for (int i = 0; i < items.size(); i++) {
      MessageKey message = key.apply(items.get(i));
      int shard = keyspace.shardOf(message);
      if (!batch.hasRoomFor(shard, message.scope())) {
        Group group = new Group(shard, message.scope());
        batch = unfinished.getOrDefault(group, batch);
        if (!batch.hasRoomFor(shard, message.scope())) {
          batch = new Batch(shard, message.scope(), new ArrayList<>());
          unfinished.put(group, batch);
          batches.add(batch);
        }
      }
      batch.positions.add(i);
    }
    return batches;
  }

  private boolean hasRoomFor(int someShard, String someScope) {
    return shard == someShard && scope.equals(someScope) && positions.size() < LARGEST;
  }

  <I> List<byte[]> keys(List<I> items, Function<I, MessageKey> key, Keyspace keyspace) {
    List<byte[]> keys = new ArrayList<>(keyspace.common(shard, scope));
    List<MessageKey> own = positions.stream().map(items::get).map(key).toList();
    keys.addAll(keyspace.layout().keys(keyspace, shard, own));
    return keys;
  }
}
