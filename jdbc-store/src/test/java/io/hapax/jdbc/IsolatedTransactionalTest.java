package io.hapax.jdbc;

import io.hapax.testkit.TransactionalDedupStoreContract;
import io.hapax.testkit.TransactionalStoreFixture;
import java.sql.Connection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The pool lends its connections without autocommit and with an isolation of its own. */
@Tag("nightly")
@ParameterizedClass
@EnumSource(
    mode = EnumSource.Mode.MATCH_ANY,
    names = {".*_READ.*", ".*_SERIALIZABLE"})
class IsolatedTransactionalTest extends TransactionalDedupStoreContract<Connection> {

  @Parameter
  TestDatabase database;

  @Override
  protected TransactionalStoreFixture<Connection> open() {
    return new JdbcFixture(database::pool);
  }
}
