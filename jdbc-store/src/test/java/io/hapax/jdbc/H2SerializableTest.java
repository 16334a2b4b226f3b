package io.hapax.jdbc;

import io.hapax.testkit.DedupStoreContract;
import io.hapax.testkit.StoreFixture;
import org.junit.jupiter.api.Tag;

/** The pool lends its connections without autocommit and with an isolation of its own. */
@Tag("matrix")
class H2SerializableTest extends DedupStoreContract {

  @Override
  protected StoreFixture open() {
    return new JdbcFixture(
        () -> Databases.isolated(Databases.h2InMemory(), "TRANSACTION_SERIALIZABLE"));
  }

  @Override
  public int histories() {
    return 60;
  }
}
