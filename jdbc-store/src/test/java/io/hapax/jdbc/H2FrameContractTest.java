package io.hapax.jdbc;

import io.hapax.testkit.ListenableTransactionsContract;
import io.hapax.testkit.TransactionalDedupStoreContract;
import io.hapax.testkit.TransactionalStoreFixture;
import java.sql.Connection;
import org.junit.jupiter.api.Tag;

@Tag("nightly")
class H2FrameContractTest extends TransactionalDedupStoreContract<Connection>
    implements ListenableTransactionsContract<Connection> {

  @Override
  protected TransactionalStoreFixture<Connection> open() {
    return new FramedFixture(Databases::h2InMemory);
  }
}
