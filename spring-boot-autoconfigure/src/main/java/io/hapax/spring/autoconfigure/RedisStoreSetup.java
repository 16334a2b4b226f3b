package io.hapax.spring.autoconfigure;

import io.hapax.redis.RedisDedupStore;
import io.hapax.redis.RedisDedupStoreBuilder;
import io.hapax.spring.HapaxProperties;
import io.hapax.store.StoreException;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.cluster.RedisClusterClient;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Builds the store in Redis from the properties, and explains why that is not possible. */
final class RedisStoreSetup {

  private final HapaxProperties properties;

  RedisStoreSetup(HapaxProperties properties) {
    this.properties = properties;
  }

  RedisDedupStore build(ObjectProvider<RedisConnectionFactory> connections) {
    RedisDedupStoreBuilder builder = builder(lettuce(connections).getRequiredNativeClient())
        .namespace(properties.redis().prefix())
        .retention(properties.retention())
        .commandTimeout(properties.redis().commandTimeout());
    if (properties.redis().strict()) {
      builder.strict();
    }
    if (properties.redis().compactMarks() != null) {
      builder.compact(properties.redis().compactMarks());
    }
    try {
      return builder.build();
    } catch (IllegalArgumentException | IllegalStateException | RedisException | StoreException e) {
      throw new RefusedStoreException(
          "The store of marks cannot use the application's Redis: " + e.getMessage(),
          "Check spring.data.redis.* and hapax.redis.*, and whether the server runs. The"
              + " application does not start without its marks, because it could not recognise"
              + " duplicates.",
          e);
    }
  }

  private static RedisDedupStoreBuilder builder(AbstractRedisClient client) {
    if (client instanceof RedisClusterClient cluster) {
      return RedisDedupStore.clusterBuilder(cluster);
    }
    return RedisDedupStore.builder((RedisClient) client);
  }

  private static LettuceConnectionFactory lettuce(
      ObjectProvider<RedisConnectionFactory> connections) {
    @Nullable RedisConnectionFactory only = connections.getIfUnique();
    if (only instanceof LettuceConnectionFactory lettuce) {
      return lettuce;
    }
    long count = connections.stream().count();
    String found = only != null
        ? "the application's connection factory is a " + only.getClass().getSimpleName()
        : count == 0
            ? "the application has no RedisConnectionFactory"
            : "the application has " + count
                + " beans of type RedisConnectionFactory and none is primary";
    throw new RefusedStoreException(
        "hapax.store is redis, but " + found,
        "Use a single or primary LettuceConnectionFactory: spring.data.redis.client-type is"
            + " lettuce. Jedis is not supported. Or declare a bean of type RedisDedupStore.");
  }
}
