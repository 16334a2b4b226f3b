package io.hapax.servers;

import java.util.Arrays;
import java.util.List;

class LocalRedisLifecycleTest extends LifecycleContract<LocalRedis> {

  /**
   * With {@code everysec} the server may answer a write behind a slow sync before the file contains
   * it.
   */
  @Override
  LocalServer.Builder<LocalRedis> builder() {
    return LocalRedis.builder().setting("appendfsync", "always");
  }

  @Override
  void write(LocalRedis server, String... values) {
    for (String value : values) {
      server.command("RPUSH", "kept", value);
    }
  }

  @Override
  List<String> read(LocalRedis server) {
    return Arrays.asList(server.command("LRANGE", "kept", "0", "-1").split("\n", -1));
  }

  @Override
  Refused refused() {
    return new Refused("appendfsync", "plenty", "argument must be one of the following");
  }
}
