package io.hapax.redis;

import io.hapax.mark.MessageKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A part of a verb's list that one script may touch: the same shard and scope, and not more than
 * would make others wait.
 *
 * @param shard the shard
 * @param scope the scope
 * @param places where its items stand in the whole list
 */
record Batch(int shard, String scope, List<Integer> places) {

  /** The most items of one script. Redis does nothing else while it runs. */
  static final int LARGEST = 128;

  private record Place(int shard, String scope) {}

  /** The whole list in parts; the parts keep the order of the list. */
  static <I> List<Batch> split(List<I> items, Function<I, MessageKey> key, Keyspace keyspace) {
    Map<Place, Batch> unfinished = new HashMap<>();
    List<Batch> batches = new ArrayList<>();
    Batch batch = new Batch(-1, "", List.of()); // mostly that of the item before fits
    for (int i = 0; i < items.size(); i++) {
      MessageKey message = key.apply(items.get(i));
      int shard = keyspace.shardOf(message);
      if (!batch.hasRoomFor(shard, message.scope())) {
        Place place = new Place(shard, message.scope());
        batch = unfinished.getOrDefault(place, batch);
        if (!batch.hasRoomFor(shard, message.scope())) {
          batch = new Batch(shard, message.scope(), new ArrayList<>());
          unfinished.put(place, batch);
          batches.add(batch);
        }
      }
      batch.places.add(i);
    }
    return batches;
  }

  private boolean hasRoomFor(int someShard, String someScope) {
    return shard == someShard && scope.equals(someScope) && places.size() < LARGEST;
  }

  /** What the script is given as its keys. */
  <I> List<byte[]> keys(List<I> items, Function<I, MessageKey> key, Keyspace keyspace) {
    List<byte[]> keys = new ArrayList<>(keyspace.common(shard, scope));
    List<MessageKey> own = places.stream().map(items::get).map(key).toList();
    keys.addAll(keyspace.layout().keys(keyspace, shard, own));
    return keys;
  }
}
