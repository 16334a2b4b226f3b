package io.hapax.jdbc;

import io.hapax.testkit.LossyTransactionContract;
import io.hapax.testkit.RemoteTransactionalStoreFixture;
import java.sql.Connection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("nightly")
@ParameterizedClass
@EnumSource(names = {"H2", "MARIADB", "MYSQL_DRIVER"})
class JdbcLossyTransactionTest extends LossyTransactionContract<Connection> {

  @Parameter
  TestDatabase database;

  @Override
  protected RemoteTransactionalStoreFixture<Connection> open() {
    return new RemoteJdbcFixture(database.server());
  }
}
