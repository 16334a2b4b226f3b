package io.hapax.jdbc;

import io.hapax.testkit.TransactionalDedupStoreContract;
import io.hapax.testkit.TransactionalStoreFixture;
import java.sql.Connection;
import org.junit.jupiter.api.Tag;

/** The pool lends its connections without autocommit and with an isolation of its own. */
@Tag("matrix")
class PostgresRepeatableReadTransactionalTest extends TransactionalDedupStoreContract<Connection> {

  @Override
  protected TransactionalStoreFixture<Connection> open() {
    return new JdbcFixture(
        () -> Databases.isolated(Databases.postgres(), "TRANSACTION_REPEATABLE_READ"));
  }
}
