package io.hapax.redis;

import io.hapax.servers.LocalRedis;
import io.lettuce.core.RedisURI;

/** The server that tests share which do it no harm. Started once for this JVM. */
final class Servers {

  private Servers() {}

  private static final class Shared {
    static final LocalRedis REDIS = LocalRedis.start();
  }

  static LocalRedis shared() {
    return Shared.REDIS;
  }

  static RedisURI uri(LocalRedis redis) {
    return RedisURI.create(redis.uri());
  }
}
