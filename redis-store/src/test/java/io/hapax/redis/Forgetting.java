package io.hapax.redis;

import io.hapax.servers.LocalRedis;
import java.time.Duration;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * What the server does by itself when the life of a DONE mark's key is over, for a clock that was
 * moved: keys' lives do not follow it.
 */
final class Forgetting {

  private static final String SCRIPT = """
      local time = redis.call('TIME')
      local horizon = time[1] * 1000000 + time[2] + ARGV[1] - ARGV[2]
      local removed = 0
      for _, key in ipairs(redis.call('KEYS', ARGV[3] .. '{*')) do
        if removed < tonumber(ARGV[4]) and redis.call('TYPE', key).ok == 'string' then
          local mark = redis.call('GET', key)
          local state = string.sub(mark, 1, 1)
          if #mark >= 40 and (state == 'D' or state == 'L')
              and struct.unpack('>I7', mark, 26) < horizon then
            removed = removed + redis.call('DEL', key)
          end
        end
      end
      return removed
      """;

  private Forgetting() {}

  static IntUnaryOperator at(
      List<LocalRedis> servers, String namespace, Duration offset, Duration retention) {
    return limit -> {
      int removed = 0;
      for (LocalRedis server : servers) {
        removed += Integer.parseInt(server.command(
            "EVAL",
            SCRIPT,
            "0",
            Long.toString(Micros.of(offset)),
            Long.toString(Micros.of(retention)),
            namespace,
            Integer.toString(limit - removed)));
      }
      return removed;
    };
  }
}
