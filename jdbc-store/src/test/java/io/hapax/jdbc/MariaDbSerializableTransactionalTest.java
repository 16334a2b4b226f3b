package io.hapax.jdbc;

import io.hapax.testkit.TransactionalDedupStoreContract;
import io.hapax.testkit.TransactionalStoreFixture;
import java.sql.Connection;
import org.junit.jupiter.api.Tag;

/** The pool lends its connections without autocommit and with an isolation of its own. */
@Tag("matrix")
class MariaDbSerializableTransactionalTest extends TransactionalDedupStoreContract<Connection> {

  @Override
  protected TransactionalStoreFixture<Connection> open() {
    return new JdbcFixture(
        () -> Databases.isolated(Databases.mariaDb(), "TRANSACTION_SERIALIZABLE"));
  }
}
