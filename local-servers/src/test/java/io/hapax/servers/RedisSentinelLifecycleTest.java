package io.hapax.servers;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** Tests one Sentinel, whose data are the names that it watches. */
@Tag("nightly")
class RedisSentinelLifecycleTest extends LifecycleContract<LocalRedis> {

  @Override
  LocalServer.Builder<LocalRedis> builder() {
    return LocalRedis.sentinel();
  }

  @Override
  void write(LocalRedis server, String... values) {
    for (String value : values) {
      server.command("SENTINEL", "MONITOR", value, "127.0.0.1", "1", "1");
    }
  }

  @Override
  List<String> read(LocalRedis server) {
    List<String> words = Arrays.asList(server.command("SENTINEL", "MASTERS").split("\n", -1));
    return words.stream()
        .filter(word ->
            words.indexOf(word) > 0 && words.get(words.indexOf(word) - 1).equals("name"))
        .sorted()
        .toList();
  }

  @Override
  Refused refused() {
    return new Refused("protected-mode", "maybe", "argument must be 'yes' or 'no'");
  }
}
