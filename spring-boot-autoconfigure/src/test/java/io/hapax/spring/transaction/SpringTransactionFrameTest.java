package io.hapax.spring.transaction;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.store.StoreException;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** Which transaction managers a frame accepts. */
class SpringTransactionFrameTest {

  private final JdbcDataSource orders = h2();

  private static JdbcDataSource h2() {
    JdbcDataSource h2 = new JdbcDataSource();
    h2.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    return h2;
  }

  private static void assertRefused(
      PlatformTransactionManager manager, DataSource dataSource, String rule) {
    assertThatThrownBy(() -> SpringTransactionFrame.of(manager, dataSource))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(manager.getClass().getName())
        .hasMessageContaining(rule);
  }

  @Test
  void the_manager_of_another_database_is_refused() {
    assertRefused(
        new DataSourceTransactionManager(h2()), orders, "does not bind connections of the");
  }

  @Test
  void a_manager_without_callbacks_is_refused() {
    DataSourceTransactionManager manager = new DataSourceTransactionManager(orders);
    manager.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);

    assertRefused(manager, orders, "transactionSynchronization NEVER");
  }

  /** As those of JTA and those that commit several managers one after the other. */
  private static final class ManyResources extends AbstractPlatformTransactionManager {

    @Override
    protected Object doGetTransaction() {
      return this;
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {}

    @Override
    protected void doCommit(DefaultTransactionStatus status) {}

    @Override
    protected void doRollback(DefaultTransactionStatus status) {}
  }

  @Test
  void a_manager_of_several_resources_is_refused() {
    assertRefused(new ManyResources(), orders, "is not the manager of one resource");
  }

  @Test
  void a_database_without_an_answer_is_the_stores_failure() {
    orders.setURL("jdbc:h2:tcp://localhost:1/mem:gone");

    assertThatThrownBy(
            () -> SpringTransactionFrame.of(new DataSourceTransactionManager(orders), orders))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("cannot begin a new READ COMMITTED transaction");
  }
}
