package io.hapax.spring.autoconfigure;

import io.hapax.redis.RedisDedupStore;
import io.hapax.redis.RedisDedupStoreBuilder;
import io.hapax.spring.HapaxProperties;
import io.hapax.store.DedupStore;
import io.hapax.store.StoreException;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.cluster.RedisClusterClient;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Keeps marks in the application's Redis, by the Lettuce client of its connection factory. */
@AutoConfiguration(
    after = HapaxAutoConfiguration.class,
    afterName = {
      "io.hapax.spring.autoconfigure.HapaxJdbcAutoConfiguration",
      "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
      "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
      "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"
    })
@ConditionalOnProperty(
    prefix = "hapax",
    name = "store",
    havingValue = "redis",
    matchIfMissing = true)
@ConditionalOnMissingBean(DedupStore.class)
@EnableConfigurationProperties(HapaxProperties.class)
public class HapaxRedisAutoConfiguration {

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({
    RedisDedupStore.class,
    RedisConnectionFactory.class,
    AbstractRedisClient.class
  })
  @Conditional(ChosenOrPossible.class)
  @Order(Ordered.HIGHEST_PRECEDENCE) // before WithoutLettuce looks for its bean
  static class WithLettuce {

    @Bean
    RedisDedupStore hapaxRedisDedupStore(
        HapaxProperties properties, ObjectProvider<RedisConnectionFactory> connections) {
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
      } catch (IllegalArgumentException
          | IllegalStateException
          | RedisException
          | StoreException e) {
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

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnProperty(prefix = "hapax", name = "store", havingValue = "redis")
  @ConditionalOnMissingBean(DedupStore.class)
  static class WithoutLettuce {

    @Bean
    DedupStore hapaxRedisDedupStore() {
      throw new RefusedStoreException(
          "hapax.store is redis, but the class path does not have all of hapax-redis,"
              + " spring-data-redis and lettuce-core",
          "Add spring-boot-starter-data-redis with its client Lettuce; Jedis is not supported."
              + " Or set hapax.store to jdbc.");
    }
  }

  /** Matches if Redis is chosen, or if there is one, no database and no choice. */
  static final class ChosenOrPossible extends AnyNestedCondition {

    ChosenOrPossible() {
      super(ConfigurationPhase.REGISTER_BEAN);
    }

    @ConditionalOnProperty(prefix = "hapax", name = "store", havingValue = "redis")
    static final class Chosen {}

    @ConditionalOnBean(RedisConnectionFactory.class)
    @ConditionalOnMissingBean(type = "javax.sql.DataSource")
    static final class Possible {}
  }
}
