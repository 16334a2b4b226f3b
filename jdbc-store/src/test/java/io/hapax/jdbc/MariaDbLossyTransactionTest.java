package io.hapax.jdbc;

import io.hapax.testkit.LossyTransactionContract;
import io.hapax.testkit.RemoteTransactionalStoreFixture;
import java.sql.Connection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** MariaDB through either driver. */
@Tag("nightly")
@ParameterizedClass
@EnumSource
class MariaDbLossyTransactionTest extends LossyTransactionContract<Connection> {

  @Parameter
  MariaDbDriver driver;

  @Override
  protected RemoteTransactionalStoreFixture<Connection> open() {
    return new RemoteJdbcFixture(driver.server());
  }
}
