package io.hapax.jdbc;

import io.hapax.testkit.ListenableTransactionsContract;
import io.hapax.testkit.TransactionalDedupStoreContract;
import io.hapax.testkit.TransactionalStoreFixture;
import java.sql.Connection;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(names = {"H2", "POSTGRES", "MARIADB"})
class JdbcTransactionalDedupStoreTest extends TransactionalDedupStoreContract<Connection>
    implements ListenableTransactionsContract<Connection> {

  @Parameter
  TestDatabase database;

  @Override
  protected TransactionalStoreFixture<Connection> open() {
    return new JdbcFixture(database::pool);
  }
}
