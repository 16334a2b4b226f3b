package io.hapax.redis;

import io.hapax.store.StoreException;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Checks at start whether the user of the connection has the permissions that the store needs, and
 * whether the server knows the commands under their names. A script without a permission fails in
 * its middle, and Redis 6.2 does not name the command. So this class tries each command on a key of
 * its own, which it removes, and names the refused ones.
 */
final class PermissionCheck {

  /** Returns the names of the refused commands. */
  private static final String PROBE_SCRIPT = """
      local refused = {}
      local function try(...)
        local reply = redis.pcall(...)
        local reason = type(reply) == 'table' and reply.err or ''
        local granted = not (reason:find("script can't") or reason:find('permission')
            or reason:find('Unknown %a+ command'))
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

  private PermissionCheck() {}

  /** Tries every command on every shard; skips shards that cannot be reached. */
  static void check(Pipeline pipeline, RedisSettings settings, Keyspace keyspace) {
    List<RedisRequest> requests = new ArrayList<>(IntStream.range(0, keyspace.shards())
        .mapToObj(shard ->
            RedisRequest.byText(PROBE_SCRIPT, List.of(keyspace.permissionProbe(shard)), List.of()))
        .toList());
    requests.add(RedisRequest.of(CommandType.EVALSHA, "0".repeat(40), "0")); // an unknown script
    if (settings.replicas() > 0) {
      requests.add(RedisRequest.of(CommandType.CLIENT, "GETNAME"));
      requests.add(RedisRequest.of(CommandType.WAIT, "0", "0"));
    }
    Set<String> refused = new LinkedHashSet<>();
    pipeline.send(requests).forEach(reply -> refused.addAll(refused(reply)));
    if (!refused.isEmpty()) {
      throw new StoreException("Redis refuses commands that the store needs: "
          + String.join(", ", refused) + ". Grant the user the permissions that the documentation"
          + " of io.hapax.redis lists, and remove rename-command of these commands");
    }
  }

  /**
   * Returns whether the server answered that the user lacks the permission, or that it does not
   * know the command.
   */
  static boolean refuses(Reply.Failure failure) {
    return failure.text().startsWith("NOPERM") || isUnknown(failure);
  }

  private static boolean isUnknown(Reply.Failure failure) {
    return failure.text().startsWith("ERR unknown command");
  }

  private static List<String> refused(Reply reply) {
    if (reply instanceof Reply.Failure failure) {
      if (isUnknown(failure)) {
        return List.of(failure.text().split(",", 2)[0]); // the arguments follow
      }
      return refuses(failure) ? List.of(failure.text()) : List.of();
    }
    return ((Reply.Answer) reply)
        .content().stream()
            .filter(byte[].class::isInstance)
            .map(RedisRequest::text)
            .toList();
  }
}
