package io.hapax.spring.autoconfigure;

import io.hapax.redis.RedisDedupStore;
import io.hapax.spring.HapaxProperties;
import io.hapax.store.DedupStore;
import io.lettuce.core.AbstractRedisClient;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Keeps marks in the application's Redis, by the Lettuce client of its connection factory. Applies
 * if {@code hapax.store} is {@code redis}, or if it is not set and there is a connection factory
 * but no DataSource. If Redis cannot be reached at the start, the application does not start.
 */
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

  /** The store, by Lettuce. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({
    RedisDedupStore.class,
    RedisConnectionFactory.class,
    AbstractRedisClient.class
  })
  @Conditional(ChosenOrPossible.class)
  static class WithLettuce {

    @Bean
    RedisDedupStore hapaxRedisDedupStore(
        HapaxProperties properties, ObjectProvider<RedisConnectionFactory> connections) {
      return new RedisStoreSetup(properties).build(connections);
    }
  }

  /** Redis is chosen, but the class path does not suffice. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnProperty(prefix = "hapax", name = "store", havingValue = "redis")
  @Conditional(Incomplete.class)
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

  /** Matches if a class is missing. */
  static final class Incomplete extends AnyNestedCondition {

    Incomplete() {
      super(ConfigurationPhase.REGISTER_BEAN);
    }

    @ConditionalOnMissingClass("io.hapax.redis.RedisDedupStore")
    static final class NoStore {}

    @ConditionalOnMissingClass("org.springframework.data.redis.connection.RedisConnectionFactory")
    static final class NoSpringData {}

    @ConditionalOnMissingClass("io.lettuce.core.AbstractRedisClient")
    static final class NoLettuce {}
  }
}
