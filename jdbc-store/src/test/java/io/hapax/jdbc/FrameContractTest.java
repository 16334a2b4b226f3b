package io.hapax.jdbc;

import io.hapax.testkit.ListenableTransactionsContract;
import io.hapax.testkit.TransactionalDedupStoreContract;
import io.hapax.testkit.TransactionalStoreFixture;
import java.sql.Connection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("nightly")
@ParameterizedClass
@EnumSource(names = {"H2", "MARIADB"})
class FrameContractTest extends TransactionalDedupStoreContract<Connection>
    implements ListenableTransactionsContract<Connection> {

  @Parameter
  TestDatabase database;

  @Override
  protected TransactionalStoreFixture<Connection> open() {
    return new FramedFixture(database::pool);
  }
}
