package io.hapax.jdbc;

import io.hapax.testkit.ListenableTransactionsContract;
import io.hapax.testkit.TransactionalDedupStoreContract;
import io.hapax.testkit.TransactionalStoreFixture;
import java.sql.Connection;
import org.junit.jupiter.api.Tag;

/** MariaDB through the driver of MySQL. */
@Tag("nightly")
class MySqlDriverTransactionalDedupStoreTest extends TransactionalDedupStoreContract<Connection>
    implements ListenableTransactionsContract<Connection> {

  @Override
  protected TransactionalStoreFixture<Connection> open() {
    return new JdbcFixture(Databases::mysqlDriver);
  }
}
