package io.hapax.spring.autoconfigure;

import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.jdbc.TransactionFrame;
import io.hapax.spring.HapaxProperties;
import io.hapax.spring.listener.Stores;
import io.hapax.spring.transaction.JdbcStoreCustomizer;
import io.hapax.store.DedupStore;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Keeps marks in the application's database, and commits them in its transactions. The store is
 * made after Flyway, Liquibase and the SQL scripts of the application have run.
 */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
      "org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
      "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration",
      "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
      "org.springframework.boot.autoconfigure.flyway.FlywayAutoConfiguration",
      "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration",
      "org.springframework.boot.autoconfigure.liquibase.LiquibaseAutoConfiguration",
      "org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration"
    })
@ConditionalOnClass({JdbcDedupStore.class, DataSourceUtils.class, PlatformTransactionManager.class})
@ConditionalOnProperty(
    prefix = "hapax",
    name = "store",
    havingValue = "jdbc",
    matchIfMissing = true)
@Conditional(HapaxJdbcAutoConfiguration.ChosenOrPossible.class)
@ConditionalOnMissingBean(DedupStore.class)
@EnableConfigurationProperties(HapaxProperties.class)
public class HapaxJdbcAutoConfiguration {

  @Bean
  @DependsOnDatabaseInitialization
  JdbcDedupStore hapaxJdbcDedupStore(
      HapaxProperties properties,
      ObjectProvider<DataSource> dataSources,
      ObjectProvider<JdbcStoreCustomizer> customizers,
      ApplicationTransactions transactions) {
    return JdbcStoreSetup.build(
        properties,
        JdbcStoreSetup.only(dataSources),
        transactions.frame(),
        customizers.orderedStream());
  }

  @Bean
  ApplicationTransactions hapaxApplicationTransactions(
      HapaxProperties properties,
      ObjectProvider<DataSource> dataSources,
      ObjectProvider<TransactionFrame> frames,
      ListableBeanFactory beans) {
    return new ApplicationTransactions(
        properties.mode(),
        JdbcStoreSetup.only(dataSources),
        Optional.ofNullable(frames.getIfUnique()),
        beans);
  }

  @Bean
  Stores.JoinedStores hapaxJoinedStores(
      JdbcDedupStore hapaxJdbcDedupStore, ApplicationTransactions transactions) {
    boolean joined = transactions.frame().isPresent() && !hapaxJdbcDedupStore.leasedOnly();
    return store -> store == hapaxJdbcDedupStore && joined;
  }

  /** Matches if the database is chosen, or if there is one and no choice. */
  static final class ChosenOrPossible extends AnyNestedCondition {

    ChosenOrPossible() {
      super(ConfigurationPhase.REGISTER_BEAN);
    }

    @ConditionalOnProperty(prefix = "hapax", name = "store", havingValue = "jdbc")
    static final class Chosen {}

    @ConditionalOnSingleCandidate(DataSource.class)
    static final class Possible {}
  }
}
