package io.hapax.spring.autoconfigure;

import static io.hapax.spring.autoconfigure.ExecutorSetupTest.closesBeforeClient;
import static io.hapax.spring.autoconfigure.ExecutorSetupTest.refusesTransactions;
import static io.hapax.spring.autoconfigure.ExecutorSetupTest.transactions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.ExecutionResult.Executed;
import io.hapax.IdempotentExecutor;
import io.hapax.OutcomeProbe;
import io.hapax.ProbeSettings;
import io.hapax.TransactionalExecutor;
import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import io.hapax.spring.actuate.ReceiversHealth;
import io.hapax.spring.web.RequestExecutor;
import java.sql.Connection;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** Executors that the application builds itself, over a database. */
class OwnExecutorTest {

  private final ApplicationContextRunner runner = new ApplicationContextRunner()
      .withConfiguration(AutoConfigurations.of(
          HapaxAutoConfiguration.class,
          HapaxJdbcAutoConfiguration.class,
          HapaxExecutorAutoConfiguration.class,
          HapaxHealthAutoConfiguration.class))
      .withUserConfiguration(Application.class)
      .withPropertyValues("hapax.jdbc.create-if-absent=true", "hapax.jdbc.allow-volatile=true");

  @Test
  void a_leased_one_refuses_a_call_inside_a_transaction() {
    runner.run(context -> {
      refusesTransactions(context.getBean("jobs", IdempotentExecutor.class), context);
      refusesTransactions(context.getBean(RequestExecutor.class).executor(), context);
    });
  }

  @Test
  void a_transactional_one_commits_although_the_outer_transaction_is_rolled_back() {
    runner.run(context -> {
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
  void its_problems_belong_to_health() {
    runner.run(context -> {
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
  void one_closes_before_the_client_of_its_store() {
    runner
        .withUserConfiguration(ExecutorSetupTest.Client.class)
        .run(context -> closesBeforeClient(
            context.getBean("jobs", IdempotentExecutor.class),
            context.getSourceApplicationContext()));
  }

  @Test
  void one_that_ends_before_its_application_leaves_health() {
    runner.run(context -> {
      DefaultListableBeanFactory beans =
          (DefaultListableBeanFactory) context.getSourceApplicationContext().getBeanFactory();
      IdempotentExecutor jobs = context.getBean("jobs", IdempotentExecutor.class);
      beans.destroySingleton("jobs");

      assertThat(ExecutorSetupTest.isClosed(jobs)).isTrue();
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

  @Configuration(proxyBeanMethods = false)
  static class Application {

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
