package io.hapax.redis;

import static io.hapax.redis.Executor.ascii;

import io.hapax.mark.Mark;
import io.hapax.mark.MessageKey;
import io.hapax.store.MarkQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Lists open and dead marks in the order of their store keys: shard after shard, a few at once, by
 * the indexes of open and dead marks.
 */
final class Listing {

  /** So many shards are asked at once, each for a whole page. */
  private static final int AT_ONCE = 16;

  private final Executor executor;

  Listing(Executor executor) {
    this.executor = executor;
  }

  List<Mark> list(MarkQuery query) {
    Keyspace keyspace = executor.keyspace();
    int first = query.after().map(last -> keyspace.shardOf(last.key())).orElse(0);
    List<Mark> page = new ArrayList<>();
    for (int from = first;
        from < keyspace.shards() && page.size() < query.limit();
        from += AT_ONCE) {
      int to = Math.min(keyspace.shards(), from + AT_ONCE);
      List<ScriptCall> calls =
          IntStream.range(from, to).mapToObj(shard -> call(query, shard)).toList();
      executor.ask(calls).forEach(found -> add(page, query, found));
    }
    return List.copyOf(page);
  }

  private ScriptCall call(MarkQuery query, int shard) {
    Keyspace keyspace = executor.keyspace();
    byte[] after = query
        .after()
        .map(Mark::key)
        .filter(key -> keyspace.shardOf(key) == shard)
        .map(MessageKey::storeKey)
        .orElse(new byte[0]);
    int index = switch (query.kind()) {
      case STALE, LEASED -> 1;
      case IN_DOUBT -> 2;
      case DEAD -> 3;
    };
    return executor.call(
        Script.LIST,
        keyspace.common(shard, query.scope()),
        List.of(ascii(index), after, ascii(query.limit()), ascii(query.kind())));
  }

  private static void add(List<Mark> page, MarkQuery query, List<Object> found) {
    for (int i = 1; i < found.size() && page.size() < query.limit(); i += 2) {
      page.add(MarkReader.readWithId(query.scope(), (byte[]) found.get(i)));
    }
  }
}
