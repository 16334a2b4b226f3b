package io.hapax.jdbc;

import io.hapax.testkit.DedupStoreContract;
import io.hapax.testkit.ListenableStoreContract;
import io.hapax.testkit.StoreFixture;
import org.junit.jupiter.params.Parameter;

@TestDatabase.OnMariaDb
class MariaDbDedupStoreTest extends DedupStoreContract implements ListenableStoreContract {

  @Parameter
  TestDatabase database;

  @Override
  protected StoreFixture open() {
    return new JdbcFixture(database::pool);
  }
}
