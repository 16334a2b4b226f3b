package io.hapax.redis;

import io.hapax.servers.LocalRedis;
import java.time.Duration;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * Replaces the expiry of DONE marks for a moved clock, which the expiry of keys does not follow.
 */
final class ExpirySimulator {

  private static final String SCRIPT = """
      local time = redis.call('TIME')
      local horizon = time[1] * 1000000 + time[2] + ARGV[1] - ARGV[2]
      local removed = 0
      local function number_at(bytes, at) return (struct.unpack('>I7', bytes, at)) end
      local function settled_at(mark)
        if #mark >= 40 then
          return number_at(mark, 26)
        end
        local after = string.sub(mark, 24)
        return number_at(mark, 1) + number_at(string.rep('\\0', 7 - #after) .. after, 1)
      end
      for _, key in ipairs(redis.call('KEYS', ARGV[3] .. '{*')) do
        if removed < tonumber(ARGV[4]) and redis.call('TYPE', key).ok == 'string' then
          local mark = redis.call('GET', key)
          if string.sub(key, -6) ~= 'canary' and settled_at(mark) < horizon then
            removed = removed + redis.call('DEL', key)
          end
        end
      end
      return removed
      """;

  private ExpirySimulator() {}

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
