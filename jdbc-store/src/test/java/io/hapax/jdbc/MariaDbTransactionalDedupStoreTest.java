package io.hapax.jdbc;

import io.hapax.testkit.ListenableTransactionsContract;
import io.hapax.testkit.TransactionalDedupStoreContract;
import io.hapax.testkit.TransactionalStoreFixture;
import java.sql.Connection;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** MariaDB through either driver. */
@ParameterizedClass
@EnumSource
class MariaDbTransactionalDedupStoreTest extends TransactionalDedupStoreContract<Connection>
    implements ListenableTransactionsContract<Connection> {

  private final MariaDbDriver driver;

  MariaDbTransactionalDedupStoreTest(MariaDbDriver driver) {
    this.driver = driver;
  }

  @Override
  protected TransactionalStoreFixture<Connection> open() {
    return new JdbcFixture(driver::pool);
  }
}
