package io.hapax.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.hapax.redis.RedisDedupStore;
import io.hapax.servers.LocalRedis;
import io.hapax.servers.LocalRedisCluster;
import io.hapax.servers.LocalRedisSentinel;
import io.hapax.store.DedupStore;
import io.hapax.store.InMemoryDedupStore;
import io.hapax.store.MarkQuery;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.RedisConnectionFactory;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HapaxRedisAutoConfigurationTest {

  @AutoClose
  private static final LocalRedis REDIS = LocalRedis.start();

  /** Runs without the Redis beans of Spring Boot. */
  private final ApplicationContextRunner alone = new ApplicationContextRunner()
      .withConfiguration(AutoConfigurations.of(HapaxRedisAutoConfiguration.class));

  private final ApplicationContextRunner runner = alone
      .withConfiguration(BootLine.redis())
      .withPropertyValues("spring.data.redis.port=" + REDIS.port());

  @Test
  void an_application_with_redis_only_keeps_its_marks_there() {
    runner.withPropertyValues("hapax.retention=3d", "hapax.redis.prefix=shop").run(context -> {
      assertThat(context.getBean(RedisDedupStore.class).retention()).isEqualTo(Duration.ofDays(3));
      assertThat(REDIS.command("KEYS", "shop*")).isNotEmpty();
    });
  }

  Stream<Arguments> choices() {
    ApplicationContextRunner withDatabase = runner.withBean(DataSource.class, JdbcDataSource::new);
    String redis = "hapax.store=redis";
    return Stream.of(
        arguments("a database comes first", withDatabase, List.of()),
        arguments(
            "unless Redis is chosen",
            withDatabase.withPropertyValues(redis),
            List.of(RedisDedupStore.class)),
        arguments("a database is chosen", runner.withPropertyValues("hapax.store=jdbc"), List.of()),
        arguments(
            "a store of the application",
            runner.withBean(InMemoryDedupStore.class).withPropertyValues(redis),
            List.of(InMemoryDedupStore.class)),
        arguments("an application without Redis", alone, List.of()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("choices")
  void redis_has_the_marks_if_it_is_chosen_or_the_only_place(
      String choice, ApplicationContextRunner application, List<Class<?>> stores) {
    application.run(
        context -> assertThat(context.getBeansOfType(DedupStore.class).values())
            .<Class<?>>extracting(Object::getClass)
            .isEqualTo(stores));
  }

  @Test
  void redis_without_a_connection_factory_or_lettuce_is_refused() {
    ApplicationContextRunner chosen = alone.withPropertyValues("hapax.store=redis");
    chosen.run(context -> assertThat(context.getStartupFailure())
        .rootCause()
        .hasMessage("hapax.store is redis, but the application has no RedisConnectionFactory"));
    chosen
        .withClassLoader(new FilteredClassLoader("io.lettuce"))
        .run(context ->
            assertThat(context.getStartupFailure()).rootCause().hasMessageContaining("class path"));
  }

  @Test
  void another_client_than_lettuce_is_refused() {
    alone
        .withBean(
            RedisConnectionFactory.class,
            () -> RedisConnectionFactory.class.cast(detailsOf(RedisConnectionFactory.class)))
        .run(context -> assertThat(context.getStartupFailure())
            .rootCause()
            .isInstanceOfSatisfying(RefusedStoreException.class, refused -> {
              assertThat(refused)
                  .hasMessageContaining("the application's connection factory is a ");
              assertThat(refused.wayOut()).contains("Jedis is not supported");
            }));
  }

  @Test
  void an_unreachable_redis_keeps_the_application_from_starting() {
    runner
        .withPropertyValues("spring.data.redis.port=1", "spring.data.redis.connect-timeout=2s")
        .run(context -> assertThat(context.getStartupFailure())
            .hasStackTraceContaining("RefusedStoreException")
            .hasStackTraceContaining(
                "The store of marks cannot use the application's Redis: Redis cannot be reached"));
  }

  @Test
  void a_server_that_can_lose_marks_is_refused_if_strict() {
    REDIS.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
    try {
      runner
          .withPropertyValues("hapax.redis.strict=true")
          .run(context -> assertThat(context.getStartupFailure())
              .hasStackTraceContaining("strict is set, and Redis may forget marks"));
    } finally {
      REDIS.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
    }
  }

  @Test
  void the_details_of_a_service_connection_are_used() {
    Class<Object> details = BootLine.type(
        "org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails",
        "org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails");
    runner
        .withPropertyValues("spring.data.redis.port=1", "hapax.redis.prefix=service")
        .withBean("details", details, () -> detailsOf(details))
        .run(context -> {
          assertThat(context).hasSingleBean(RedisDedupStore.class);
          assertThat(REDIS.command("KEYS", "service*")).isNotEmpty();
        });
  }

  @Test
  @Tag("nightly")
  void a_cluster_keeps_the_marks() {
    try (LocalRedisCluster cluster = LocalRedisCluster.start(3)) {
      runner
          .withPropertyValues("spring.data.redis.cluster.nodes=" + addresses(cluster.nodes()))
          .run(context -> assertStores(context.getBean(RedisDedupStore.class)));
    }
  }

  @Test
  @Tag("nightly")
  void the_master_of_sentinels_keeps_the_marks() {
    try (LocalRedisSentinel sentinel = LocalRedisSentinel.start(1)) {
      runner
          .withPropertyValues(
              "spring.data.redis.sentinel.master=" + LocalRedisSentinel.NAME,
              "spring.data.redis.sentinel.nodes=" + addresses(sentinel.sentinels()))
          .run(context -> assertStores(context.getBean(RedisDedupStore.class)));
    }
  }

  private static void assertStores(DedupStore store) {
    assertThat(store.list(MarkQuery.first("billing", MarkQuery.Kind.DEAD, 1))).isEmpty();
  }

  private static String addresses(List<LocalRedis> servers) {
    return String.join(
        ",", servers.stream().map(each -> URI.create(each.uri()).getAuthority()).toList());
  }

  /** Details that name the server, as {@code @ServiceConnection} provides them, or a stub. */
  private static Object detailsOf(Class<?> type) {
    InvocationHandler handler = (self, method, arguments) -> switch (method.getName()) {
      case "getStandalone" ->
        method
            .getReturnType()
            .getMethod("of", String.class, int.class)
            .invoke(null, "localhost", REDIS.port());
      case "hashCode" -> 1;
      case "equals" -> self == arguments[0];
      case "toString" -> "details";
      default -> InvocationHandler.invokeDefault(self, method, arguments);
    };
    return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler);
  }
}
