package io.hapax.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.jdbc.JdbcDedupStoreBuilder;
import io.hapax.jdbc.TransactionFrame;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.spring.listener.Receivers;
import io.hapax.spring.listener.Stores.JoinedStores;
import io.hapax.spring.transaction.JdbcStoreCustomizer;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.InvalidIsolationLevelException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HapaxJdbcAutoConfigurationTest {

  private final ApplicationContextRunner plain = new ApplicationContextRunner()
      .withConfiguration(
          AutoConfigurations.of(HapaxAutoConfiguration.class, HapaxJdbcAutoConfiguration.class));

  private final ApplicationContextRunner runner = plain.withPropertyValues(
      "hapax.jdbc.create-if-absent=true", "hapax.jdbc.allow-volatile=true");

  static DataSource h2() {
    JdbcDataSource h2 = new JdbcDataSource();
    h2.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    return h2;
  }

  @Configuration(proxyBeanMethods = false)
  static class OneDatabase {

    @Bean
    DataSource orders() {
      return h2();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Managed extends OneDatabase {

    @Bean
    PlatformTransactionManager manager(DataSource orders) {
      return new DataSourceTransactionManager(orders);
    }
  }

  static boolean joined(AssertableApplicationContext context) {
    return context.getBean(JoinedStores.class).contains(context.getBean(DedupStore.class));
  }

  private static void assertRefused(AssertableApplicationContext context, String... parts) {
    assertThat(context).hasFailed();
    assertThat(context.getStartupFailure())
        .hasStackTraceContaining(RefusedStoreException.class.getName());
    for (String part : parts) {
      assertThat(context.getStartupFailure()).hasStackTraceContaining(part);
    }
  }

  private static String wayOut(AssertableApplicationContext context) {
    Throwable failure = Objects.requireNonNull(context.getStartupFailure());
    while (!(failure instanceof RefusedStoreException)) {
      failure = Objects.requireNonNull(failure.getCause());
    }
    return ((RefusedStoreException) failure).wayOut();
  }

  Stream<Arguments> stores() {
    String leased = "hapax.mode=leased";
    ApplicationContextRunner managed = runner.withUserConfiguration(Managed.class);
    ApplicationContextRunner mayLoseCommits =
        plain.withPropertyValues("hapax.jdbc.create-if-absent=true");
    ApplicationContextRunner proxied = proxied(
        target -> new TransactionAwareDataSourceProxy(new LazyConnectionDataSourceProxy(target)));
    return Stream.of(
        arguments("with a manager", managed, true),
        arguments("leased, but listeners may choose", managed.withPropertyValues(leased), true),
        arguments("behind proxies", proxied, true),
        arguments("without a manager", runner.withUserConfiguration(OneDatabase.class), false),
        arguments(
            "with the manager of another one",
            runner
                .withUserConfiguration(OneDatabase.class)
                .withBean(
                    PlatformTransactionManager.class, () -> new DataSourceTransactionManager(h2())),
            false),
        arguments(
            "with a store of leases only",
            managed.withBean(JdbcStoreCustomizer.class, () -> JdbcDedupStoreBuilder::leasedOnly),
            false),
        arguments(
            "that may lose a commit, without a manager",
            mayLoseCommits.withUserConfiguration(OneDatabase.class),
            false),
        arguments(
            "that may lose a commit, leased",
            mayLoseCommits.withUserConfiguration(Managed.class).withPropertyValues(leased),
            false));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("stores")
  void marks_join_the_transactions_of_a_database(
      String database, ApplicationContextRunner application, boolean joined) {
    application.run(context -> assertThat(joined(context)).isEqualTo(joined));
  }

  @Test
  void no_or_two_databases_are_refused_if_the_database_is_chosen_and_ignored_otherwise() {
    ApplicationContextRunner two = runner
        .withBean("one", DataSource.class, HapaxJdbcAutoConfigurationTest::h2)
        .withBean("other", DataSource.class, HapaxJdbcAutoConfigurationTest::h2);
    ApplicationContextRunner redis =
        runner.withUserConfiguration(Managed.class).withPropertyValues("hapax.store=redis");

    for (ApplicationContextRunner without : List.of(runner, two, redis)) {
      without.run(context -> assertThat(context).doesNotHaveBean(DedupStore.class));
    }
    runner
        .withPropertyValues("hapax.store=jdbc")
        .run(context -> assertRefused(context, "no DataSource"));
    two.withPropertyValues("hapax.store=jdbc")
        .run(context -> assertRefused(context, "2 DataSources and none is primary"));
  }

  @Test
  void a_store_of_the_application_takes_the_place() {
    runner
        .withUserConfiguration(Managed.class)
        .withBean(
            "mine",
            JdbcDedupStore.class,
            () -> JdbcDedupStore.builder(h2())
                .allowVolatile(true)
                .createIfAbsent()
                .build())
        .run(context -> assertThat(context).hasSingleBean(DedupStore.class).hasBean("mine"));
  }

  @Configuration(proxyBeanMethods = false)
  static class TwoManagers extends Managed {

    @Bean
    PlatformTransactionManager second(DataSource orders) {
      return new DataSourceTransactionManager(orders);
    }
  }

  @Test
  void two_managers_of_the_database_are_refused_unless_one_is_primary() {
    runner
        .withUserConfiguration(TwoManagers.class)
        .run(context -> assertRefused(context, "manager, second", "none of them is primary"));
    runner
        .withUserConfiguration(TwoManagers.class)
        .withPropertyValues("hapax.mode=leased")
        .run(context -> assertThat(joined(context)).isFalse());
    runner
        .withUserConfiguration(TwoManagers.class, OneIsPrimary.class)
        .run(context -> assertThat(joined(context)).isTrue());
  }

  @Configuration(proxyBeanMethods = false)
  static class OneIsPrimary {

    @Bean
    @Primary
    PlatformTransactionManager first(DataSource orders) {
      return new DataSourceTransactionManager(orders);
    }
  }

  @Test
  void a_frame_of_the_application_has_precedence() {
    TransactionFrame mine = new TransactionFrame() {
      @Override
      public <X extends Exception> void run(Body<X> body) {
        throw new IllegalStateException("mine");
      }
    };

    runner
        .withUserConfiguration(TwoManagers.class)
        .withBean(TransactionFrame.class, () -> mine)
        .run(context -> {
          assertThat(joined(context)).isTrue();
          assertThat(context.getBean(ApplicationTransactions.class).frame()).containsSame(mine);
        });
  }

  /** As a JpaTransactionManager with the JPA dialect of no product. */
  @Configuration(proxyBeanMethods = false)
  static class Inflexible extends OneDatabase {

    @Bean
    PlatformTransactionManager inflexible(DataSource orders) {
      return new DataSourceTransactionManager(orders) {
        @Override
        protected Object doGetTransaction() {
          throw new InvalidIsolationLevelException("only the default isolation");
        }
      };
    }
  }

  @Test
  void a_manager_that_cannot_begin_is_refused_except_in_leased_mode() {
    runner.withUserConfiguration(Inflexible.class).run(context -> {
      assertRefused(context, "READ COMMITTED");
      assertThat(wayOut(context)).contains("hapax.mode to leased");
    });
    runner
        .withUserConfiguration(Inflexible.class)
        .withPropertyValues("hapax.mode=leased")
        .run(context -> {
          assertThat(context).hasSingleBean(JdbcDedupStore.class);
          assertThat(joined(context)).isFalse();
        });
  }

  private ApplicationContextRunner proxied(UnaryOperator<DataSource> proxy) {
    DataSource target = h2();
    return runner
        .withBean(DataSource.class, () -> proxy.apply(target))
        .withBean(PlatformTransactionManager.class, () -> new DataSourceTransactionManager(target));
  }

  static ClaimRequest request() {
    return new ClaimRequest(
        MessageKey.of("orders", "1"),
        new Nonce(1, 1),
        Fingerprint.NONE,
        Origin.NONE,
        new ClaimTerms(false, false, ClaimTerms.ANY_TIME));
  }

  @Test
  void a_claim_does_not_join_a_transaction_by_a_proxy() {
    ClaimRequest request = request();

    proxied(TransactionAwareDataSourceProxy::new).run(context -> {
      JdbcDedupStore store = context.getBean(JdbcDedupStore.class);
      JdbcTemplate jdbc = new JdbcTemplate(context.getBean(DataSource.class));
      jdbc.execute("create table effect (id int)");
      new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
          .executeWithoutResult(status -> {
            jdbc.update("insert into effect values (1)");
            store.claim(List.of(request), Duration.ofMinutes(1));
            status.setRollbackOnly();
          });
      assertThat(store.find(List.of(request.key())).get(0)).isPresent();
      assertThat(jdbc.queryForObject("select count(*) from effect", Integer.class))
          .isZero();
    });
  }

  @Test
  void a_missing_table_is_refused_with_the_way_out() {
    plain
        .withUserConfiguration(Managed.class)
        .withPropertyValues("hapax.jdbc.allow-volatile=true")
        .run(context -> {
          assertRefused(context, "table hapax_marks is missing");
          assertThat(wayOut(context)).contains("create-if-absent").doesNotContain("volatile");
        });
  }

  @Test
  void a_half_migrated_table_is_refused_with_what_is_wrong() {
    DataSource halfMigrated = h2();
    new JdbcTemplate(halfMigrated).execute("create table hapax_marks (k binary(16) primary key)");

    plain
        .withBean(DataSource.class, () -> halfMigrated)
        .withPropertyValues("hapax.jdbc.allow-volatile=true")
        .run(context -> assertRefused(context, "does not fit this version", "JdbcDedupStore.ddl"));
  }

  /** Is defined after the store, as Flyway may be. */
  @Configuration(proxyBeanMethods = false)
  @Import(DatabaseInitializationDependencyConfigurer.class)
  static class Migration {

    @Bean
    DataSourceScriptDatabaseInitializer migration(DataSource orders) {
      DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
      settings.setMode(DatabaseInitializationMode.ALWAYS);
      settings.setSchemaLocations(List.of("classpath:io/hapax/jdbc/flyway/h2/*.sql"));
      return new DataSourceScriptDatabaseInitializer(orders, settings);
    }
  }

  @Test
  void a_migration_of_the_application_runs_before_the_store_is_made() {
    plain
        .withUserConfiguration(Managed.class)
        .withConfiguration(AutoConfigurations.of(Migration.class))
        .withPropertyValues("hapax.jdbc.allow-volatile=true")
        .run(context -> assertThat(context).hasSingleBean(JdbcDedupStore.class));
  }

  @Test
  void a_volatile_database_is_refused_with_the_way_out() {
    plain
        .withUserConfiguration(Managed.class)
        .withPropertyValues("hapax.jdbc.create-if-absent=true")
        .run(context -> {
          assertRefused(context, "may lose a commit");
          assertThat(wayOut(context))
              .startsWith("Change the setting of the database that the message names")
              .contains("hapax.mode to leased", "hapax.jdbc.allow-volatile")
              .doesNotContain("table");
        });
  }

  @Test
  void properties_and_customizers_reach_the_store() {
    List<String> customized = new ArrayList<>();

    runner
        .withUserConfiguration(Managed.class)
        .withPropertyValues("hapax.retention=9d", "hapax.jdbc.table=marks_of_billing")
        .withBean(JdbcStoreCustomizer.class, () -> builder -> customized.add("seen"))
        .run(context -> {
          assertThat(context.getBean(JdbcDedupStore.class).retention())
              .isEqualTo(Duration.ofDays(9));
          assertThat(customized).containsExactly("seen");
        });
  }

  @Test
  void stores_are_closed_after_the_receivers() {
    runner
        .withUserConfiguration(Managed.class)
        .run(context -> assertThat(((DefaultListableBeanFactory)
                    context.getSourceApplicationContext().getBeanFactory())
                .getDependentBeans("hapaxJdbcDedupStore"))
            .contains(context.getBeanNamesForType(Receivers.class)));
  }
}
