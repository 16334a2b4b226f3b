package io.hapax.jdbc;

import io.hapax.testkit.TransactionalDedupStoreContract;
import io.hapax.testkit.TransactionalStoreFixture;
import java.sql.Connection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The pool lends its connections without autocommit and with an isolation of its own. */
@Tag("nightly")
@ParameterizedClass
@EnumSource
class IsolatedTransactionalTest extends TransactionalDedupStoreContract<Connection> {

  private final Isolated pools;

  IsolatedTransactionalTest(Isolated pools) {
    this.pools = pools;
  }

  @Override
  protected TransactionalStoreFixture<Connection> open() {
    return new JdbcFixture(pools::pool);
  }
}
