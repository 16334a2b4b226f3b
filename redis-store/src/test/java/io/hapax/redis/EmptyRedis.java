package io.hapax.redis;

import io.hapax.servers.LocalRedis;
import io.hapax.servers.LocalServer;
import io.lettuce.core.RedisURI;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One server for all tests of a class; it is empty before each of them. */
final class EmptyRedis implements BeforeEachCallback, AfterAllCallback {

  private final LocalRedis redis;

  EmptyRedis() {
    this(LocalRedis.builder());
  }

  EmptyRedis(LocalServer.Builder<LocalRedis> server) {
    redis = server.start();
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    redis.command("FLUSHALL");
  }

  @Override
  public void afterAll(ExtensionContext context) {
    redis.close();
  }

  RedisURI uri() {
    return Servers.uri(redis);
  }

  String command(String... words) {
    return redis.command(words);
  }

  /** Starts the setup of a store on the server. */
  RedisDedupStoreBuilder builder() {
    return RedisDedupStore.builder(uri());
  }
}
