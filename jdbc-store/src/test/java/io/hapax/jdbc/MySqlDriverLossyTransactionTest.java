package io.hapax.jdbc;

import io.hapax.testkit.LossyTransactionContract;
import io.hapax.testkit.RemoteTransactionalStoreFixture;
import java.sql.Connection;
import org.junit.jupiter.api.Tag;

@Tag("matrix")
class MySqlDriverLossyTransactionTest extends LossyTransactionContract<Connection> {

  @Override
  protected RemoteTransactionalStoreFixture<Connection> open() {
    return new RemoteJdbcFixture(Databases.mysqlDriverServer());
  }
}
