package io.hapax.redis;

import static io.hapax.redis.ScriptExecutor.ascii;

import io.hapax.mark.Mark;
import io.hapax.mark.MessageKey;
import io.hapax.store.MarkQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Lists open and dead marks in the order of their store keys, several shards at once. Marks in
 * doubt and dead marks have an index. For stale and leased marks, scripts scan the PROCESSING
 * marks, some hundred in each script.
 */
record MarkLister(ScriptExecutor executor) {

  /** The number of shards that are asked at once, each for a whole page. */
  private static final int AT_ONCE = 16;

  private static final String FINISHED = "0";

  List<Mark> list(MarkQuery query) {
    Keyspace keyspace = executor.keyspace();
    int first = query.after().map(last -> keyspace.shardOf(last.key())).orElse(0);
    List<Mark> page = new ArrayList<>();
    for (int from = first;
        from < keyspace.shards() && page.size() < query.limit();
        from += AT_ONCE) {
      int to = Math.min(keyspace.shards(), from + AT_ONCE);
      List<Integer> shards = IntStream.range(from, to).boxed().toList();
      page.addAll(smallest(query, shards, query.limit() - page.size()));
    }
    return List.copyOf(page);
  }

  /** The position at which the list of a shard continues. */
  private record Position(int shard, String cursor) {}

  /** Returns the first marks of some shards, at most the wanted number. */
  private List<Mark> smallest(MarkQuery query, List<Integer> shards, int wanted) {
    TreeMap<MessageKey, Mark> found = new TreeMap<>();
    List<Position> positions =
        shards.stream().map(shard -> new Position(shard, FINISHED)).toList();
    while (!positions.isEmpty()) {
      List<List<Object>> said =
          executor.run(positions.stream().map(position -> call(query, position)).toList());
      List<Position> next = new ArrayList<>();
      for (int i = 0; i < said.size(); i++) {
        add(found, query, said.get(i));
        String cursor = RedisRequest.text(said.get(i).get(0));
        if (!cursor.equals(FINISHED)) {
          next.add(new Position(positions.get(i).shard(), cursor));
        }
      }
      while (found.size() > wanted) {
        found.pollLastEntry();
      }
      positions = next;
    }
    return List.copyOf(found.values());
  }

  private ScriptCall call(MarkQuery query, Position position) {
    Keyspace keyspace = executor.keyspace();
    int shard = position.shard();
    byte[] after = query
        .after()
        .map(Mark::key)
        .filter(key -> keyspace.shardOf(key) == shard)
        .map(key -> keyspace.layout().keys(keyspace, shard, List.of(key)).get(0))
        .orElse(new byte[0]);
    int kind = switch (query.kind()) {
      case STALE -> 1;
      case IN_DOUBT -> 2;
      case DEAD -> 3;
      case LEASED -> 4;
    };
    return executor.call(
        Script.LIST,
        keyspace.common(shard, query.scope()),
        List.of(ascii(kind), after, ascii(query.limit()), ascii(position.cursor())));
  }

  private static void add(Map<MessageKey, Mark> found, MarkQuery query, List<Object> said) {
    for (int i = 2; i < said.size(); i += 2) {
      Mark mark = MarkDecoder.readWithId(query.scope(), (byte[]) said.get(i));
      if (query.after().isEmpty() || mark.key().compareTo(query.after().get().key()) > 0) {
        found.put(mark.key(), mark);
      }
    }
  }
}
