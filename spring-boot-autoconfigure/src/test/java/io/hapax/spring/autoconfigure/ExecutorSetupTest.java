package io.hapax.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.hapax.ExecutionResult.Executed;
import io.hapax.IdempotentExecutor;
import io.hapax.OutcomeProbe;
import io.hapax.ProbeSettings;
import io.hapax.ReceiverListener;
import io.hapax.TransactionalExecutor;
import io.hapax.adapter.Outcome;
import io.hapax.errors.ReceiverClosedException;
import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.spring.actuate.ReceiversHealth;
import io.hapax.spring.web.RequestExecutor;
import io.hapax.store.InMemoryDedupStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The executors of jobs and of requests in an application. */
class ExecutorSetupTest {

  private static final ApplicationContextRunner runner = new ApplicationContextRunner()
      .withConfiguration(AutoConfigurations.of(HapaxExecutorAutoConfiguration.class))
      .withUserConfiguration(Application.class)
      .withPropertyValues("spring.application.name=shop");

  /** Runs an application that builds its own executors, with a database. */
  private static final ApplicationContextRunner own = new ApplicationContextRunner()
      .withConfiguration(AutoConfigurations.of(
          HapaxAutoConfiguration.class,
          HapaxJdbcAutoConfiguration.class,
          HapaxExecutorAutoConfiguration.class,
          HapaxHealthAutoConfiguration.class))
      .withUserConfiguration(OwnExecutors.class)
      .withPropertyValues("hapax.jdbc.create-if-absent=true", "hapax.jdbc.allow-volatile=true");

  @Test
  void the_marks_of_jobs_and_of_a_consumer_with_the_application_name_differ() {
    runner.run(context -> {
      context
          .getBean(IdempotentExecutor.class)
          .execute("a", Fingerprint.NONE, delivery -> Bytes.utf8("done"));

      InMemoryDedupStore store = context.getBean(InMemoryDedupStore.class);
      assertThat(store.find(List.of(MessageKey.of("shop", "a"), MessageKey.of("shop-jobs", "a"))))
          .satisfiesExactly(
              mark -> assertThat(mark).isEmpty(), mark -> assertThat(mark).isPresent());
    });
  }

  @Test
  void an_executor_reports_to_listeners_and_meters() {
    List<String> seen = new CopyOnWriteArrayList<>();
    ReceiverListener listener = new ReceiverListener() {
      @Override
      public void onOutcome(MessageKey key, String coordinates, Outcome outcome) {
        seen.add(key.toString());
      }
    };
    runner
        .withConfiguration(AutoConfigurations.of(
            HapaxAutoConfiguration.class, HapaxMetricsAutoConfiguration.class))
        .withBean(SimpleMeterRegistry.class)
        .withBean(ReceiverListener.class, () -> listener)
        .run(context -> {
          context
              .getBean(IdempotentExecutor.class)
              .execute("a", Fingerprint.NONE, delivery -> Bytes.EMPTY);

          assertThat(seen).isNotEmpty();
          assertThat(context
                  .getBean(MeterRegistry.class)
                  .get("hapax.outcomes")
                  .tags("consumer", "shop-jobs", "outcome", "executed")
                  .counter()
                  .count())
              .isEqualTo(1);
        });
  }

  static Stream<Arguments> executors() {
    return Stream.of(
        arguments("of the starter", runner, "hapaxIdempotentExecutor"),
        arguments("of the application", own, "jobs"),
        arguments("of its requests", own, ""));
  }

  private static IdempotentExecutor executor(ApplicationContext context, String name) {
    return name.isEmpty()
        ? context.getBean(RequestExecutor.class).executor()
        : context.getBean(name, IdempotentExecutor.class);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("executors")
  void a_job_inside_a_transaction_is_refused_and_does_not_run(
      String kind, ApplicationContextRunner application, String name) {
    application.run(context -> refusesTransactions(executor(context, name), context));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("executors")
  void an_executor_closes_before_the_client_of_its_store(
      String kind, ApplicationContextRunner application, String name) {
    application.withUserConfiguration(Client.class).run(started -> {
      ConfigurableApplicationContext context = started.getSourceApplicationContext();
      IdempotentExecutor executor = executor(context, name);
      Client client = context.getBean(Client.class);
      client.onStop = () -> client.closedBefore = isClosed(executor);

      context.stop();
      assertThat(client.closedBefore).isFalse();
      context.start();
      context.close();
      assertThat(client.closedBefore).isTrue();
    });
  }

  @Test
  void an_own_transactional_one_commits_although_the_outer_transaction_is_rolled_back() {
    own.run(context -> {
      TransactionalExecutor<Connection> payments = payments(context);
      transactions(context).executeWithoutResult(outer -> {
        outer.setRollbackOnly();
        assertThat(pay(payments)).isEqualTo(new Executed(Bytes.EMPTY));
      });

      assertThat(context
              .getBean(JdbcTemplate.class)
              .queryForObject("SELECT COUNT(*) FROM payment", Integer.class))
          .isEqualTo(1);
    });
  }

  @Test
  void problems_of_an_own_one_belong_to_health() {
    own.run(context -> {
      IdempotentExecutor jobs = context.getBean("jobs", IdempotentExecutor.class);
      assertThatThrownBy(() -> jobs.execute("a", Fingerprint.NONE, delivery -> {
            throw new IllegalStateException("after the effect?");
          }))
          .hasMessage("after the effect?");
      jobs.execute("a", Fingerprint.NONE, delivery -> Bytes.EMPTY);

      assertThat(context.getBean(ReceiversHealth.class).problems())
          .containsOnlyKeys("own-jobs", "own-http", "payments")
          .hasEntrySatisfying(
              "own-jobs", problems -> assertThat(problems).asString().contains("bank is closed"));
    });
  }

  @Test
  void an_own_one_that_ends_before_its_application_leaves_health() {
    own.run(context -> {
      DefaultListableBeanFactory beans =
          (DefaultListableBeanFactory) context.getSourceApplicationContext().getBeanFactory();
      IdempotentExecutor jobs = context.getBean("jobs", IdempotentExecutor.class);
      beans.destroySingleton("jobs");

      assertThat(isClosed(jobs)).isTrue();
      assertThat(context.getBean(ReceiversHealth.class).problems())
          .containsOnlyKeys("own-http", "payments");
    });
  }

  private static Object pay(TransactionalExecutor<Connection> payments) {
    try {
      return payments.execute("1", Fingerprint.NONE, (connection, delivery) -> {
        try (Statement statement = connection.createStatement()) {
          statement.execute("INSERT INTO payment VALUES (1)");
        }
        return Bytes.EMPTY;
      });
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @SuppressWarnings("unchecked") // the type of the bean
  private static TransactionalExecutor<Connection> payments(ApplicationContext context) {
    return context.getBean(TransactionalExecutor.class);
  }

  static boolean isClosed(IdempotentExecutor executor) {
    try {
      executor.execute("b", Fingerprint.NONE, delivery -> Bytes.EMPTY);
      return false;
    } catch (ReceiverClosedException e) {
      return true;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  static TransactionTemplate transactions(ApplicationContext context) {
    return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
  }

  static void refusesTransactions(IdempotentExecutor executor, ApplicationContext context)
      throws Exception {
    AtomicInteger runs = new AtomicInteger();
    assertThatThrownBy(
            () -> transactions(context).executeWithoutResult(status -> run(executor, runs)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("inside a transaction of Spring but must not be")
        .hasMessageContaining("Call it outside the transaction");
    assertThat(runs).hasValue(0);
    assertThat(executor.execute("a", Fingerprint.NONE, delivery -> Bytes.utf8("done")))
        .isEqualTo(new Executed(Bytes.utf8("done")));
  }

  private static void run(IdempotentExecutor executor, AtomicInteger runs) {
    try {
      executor.execute(
          "a", Fingerprint.NONE, delivery -> Bytes.utf8("run " + runs.incrementAndGet()));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Stops in the phase of Lettuce's client. */
  static final class Client implements SmartLifecycle {

    private volatile boolean running;
    volatile boolean closedBefore;
    Runnable onStop = () -> {};

    @Override
    public void start() {
      running = true;
    }

    @Override
    public void stop() {
      onStop.run();
      running = false;
    }

    @Override
    public boolean isRunning() {
      return running;
    }

    @Override
    public int getPhase() {
      return 0;
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(InMemoryDedupStore.class)
  static class Application {

    @Bean
    DataSource dataSource() {
      return new DriverManagerDataSource("jdbc:h2:mem:executors;DB_CLOSE_DELAY=-1");
    }

    @Bean
    PlatformTransactionManager transactionManager(DataSource dataSource) {
      return new DataSourceTransactionManager(dataSource);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnExecutors {

    @Bean
    DataSource dataSource() {
      return HapaxJdbcAutoConfigurationTest.h2();
    }

    @Bean
    JdbcTemplate template(DataSource dataSource) {
      JdbcTemplate template = new JdbcTemplate(dataSource);
      template.execute("CREATE TABLE payment (id INT)");
      return template;
    }

    @Bean
    PlatformTransactionManager transactionManager(DataSource dataSource) {
      return new DataSourceTransactionManager(dataSource);
    }

    @Bean
    IdempotentExecutor jobs(JdbcDedupStore store) {
      return IdempotentExecutor.builder("own-jobs")
          .probeUnknownOutcome(
              delivery -> OutcomeProbe.Answer.unknown("the bank is closed"), ProbeSettings.DEFAULT)
          .leased(store);
    }

    @Bean
    RequestExecutor requests(JdbcDedupStore store) {
      return new RequestExecutor(IdempotentExecutor.builder("own-http").leased(store));
    }

    @Bean
    TransactionalExecutor<Connection> payments(JdbcDedupStore store) {
      return IdempotentExecutor.builder("payments").transactional(store);
    }
  }
}
