package io.hapax.jdbc;

import io.hapax.testkit.LossyTransactionContract;
import io.hapax.testkit.RemoteTransactionalStoreFixture;
import java.sql.Connection;
import org.junit.jupiter.api.Tag;

@Tag("nightly")
class H2LossyTransactionTest extends LossyTransactionContract<Connection> {

  @Override
  protected RemoteTransactionalStoreFixture<Connection> open() {
    return new RemoteJdbcFixture(Databases.h2Server());
  }
}
