package io.hapax.redis;

import io.hapax.store.StoreException;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Whether the user of the connection may do what the store will have to do. A script that lacks a
 * right fails in its middle, and Redis 6.2 does not say which command it was: so each is tried at
 * start, on a key of its own that is gone afterwards, and what is refused is named.
 */
final class Rights {

  /** Gives the names of the commands that were refused. */
  private static final String TRIAL = """
      local refused = {}
      local function try(...)
        local said = redis.pcall(...)
        local reason = type(said) == 'table' and said.err or ''
        local granted = not (reason:find("can't") or reason:find('permission'))
        if not granted then
          refused[#refused + 1] = (...)
        end
        return granted
      end
      local key = KEYS[1]
      try('TIME')
      try('GET', key)
      try('MGET', key)
      try('HMGET', key, 'field')
      try('HGET', key, 'field')
      try('HLEN', key)
      try('HSCAN', key, '0')
      try('HDEL', key, 'field')
      try('PEXPIRE', key, '1')
      try('ZREM', key, 'member')
      try('ZRANGEBYLEX', key, '-', '+')
      if try('DEL', key) then
        for _, write in ipairs({{'SET', 'v'}, {'HSET', 'field', 'v'}, {'ZADD', '0', 'member'}}) do
          try(write[1], key, unpack(write, 2))
          redis.call('DEL', key)
        end
      end
      return refused
      """;

  private Rights() {}

  /** Tries everything on every shard; what cannot be reached is passed over. */
  static void check(Wire wire, RedisSettings settings, Keyspace keyspace) {
    List<Request> requests = new ArrayList<>(IntStream.range(0, keyspace.shards())
        .mapToObj(shard -> Request.byText(TRIAL, List.of(keyspace.trial(shard)), List.of()))
        .toList());
    requests.add(Request.of(CommandType.EVALSHA, "0".repeat(40), "0")); // an unknown script
    if (settings.replicas() > 0) {
      requests.add(Request.of(CommandType.CLIENT, "GETNAME"));
      requests.add(Request.of(CommandType.WAIT, "0", "0"));
    }
    Set<String> refused = new LinkedHashSet<>();
    wire.send(requests).forEach(reply -> refused.addAll(refused(reply)));
    if (!refused.isEmpty()) {
      throw new StoreException("the user of Redis lacks rights that a store needs: "
          + String.join(", ", refused) + "; the documentation of io.hapax.redis names them all");
    }
  }

  /** Whether the server's answer was that this user may not do this. */
  static boolean refuses(Reply.Failure failure) {
    return reason(failure).startsWith("NOPERM");
  }

  private static String reason(Reply.Failure failure) {
    return String.valueOf(failure.cause().getMessage());
  }

  private static List<String> refused(Reply reply) {
    if (reply instanceof Reply.Failure failure) {
      return refuses(failure) ? List.of(reason(failure)) : List.of();
    }
    return ((Reply.Answer) reply)
        .content().stream().filter(byte[].class::isInstance).map(Request::text).toList();
  }
}
