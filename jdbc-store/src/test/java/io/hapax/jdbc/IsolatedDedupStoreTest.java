package io.hapax.jdbc;

import io.hapax.testkit.DedupStoreContract;
import io.hapax.testkit.StoreFixture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The pool lends its connections without autocommit and with an isolation of its own. */
@Tag("nightly")
@ParameterizedClass
@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MARIADB_SERIALIZABLE")
class IsolatedDedupStoreTest extends DedupStoreContract {

  private final Isolated pools;

  IsolatedDedupStoreTest(Isolated pools) {
    this.pools = pools;
  }

  @Override
  protected StoreFixture open() {
    return new JdbcFixture(pools::pool);
  }

  @Override
  public int histories() {
    return 60;
  }
}
