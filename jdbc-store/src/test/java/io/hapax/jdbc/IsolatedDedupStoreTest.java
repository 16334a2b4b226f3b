package io.hapax.jdbc;

import io.hapax.testkit.DedupStoreContract;
import io.hapax.testkit.StoreFixture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The pool lends its connections without autocommit and with an isolation of its own. */
@Tag("nightly")
@ParameterizedClass
@EnumSource(
    mode = EnumSource.Mode.MATCH_ANY,
    names = {".*_READ.*", "(H2|POSTGRES)_SERIALIZABLE"})
class IsolatedDedupStoreTest extends DedupStoreContract {

  @Parameter
  TestDatabase database;

  @Override
  protected StoreFixture open() {
    return new JdbcFixture(database::pool);
  }

  @Override
  public int histories() {
    return 60;
  }
}
