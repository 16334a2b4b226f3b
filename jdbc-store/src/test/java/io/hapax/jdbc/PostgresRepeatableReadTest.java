package io.hapax.jdbc;

import io.hapax.testkit.DedupStoreContract;
import io.hapax.testkit.StoreFixture;
import org.junit.jupiter.api.Tag;

/** The pool lends its connections without autocommit and with an isolation of its own. */
@Tag("matrix")
class PostgresRepeatableReadTest extends DedupStoreContract {

  @Override
  protected StoreFixture open() {
    return new JdbcFixture(
        () -> Databases.isolated(Databases.postgres(), "TRANSACTION_REPEATABLE_READ"));
  }

  @Override
  public int histories() {
    return 60;
  }
}
