package io.hapax.jdbc;

import io.hapax.testkit.ListenableConnectionContract;
import io.hapax.testkit.LossyConnectionContract;
import io.hapax.testkit.RemoteStoreFixture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** MariaDB through either driver. */
@Tag("nightly")
@ParameterizedClass
@EnumSource
class MariaDbLossyConnectionTest extends LossyConnectionContract
    implements ListenableConnectionContract {

  @Parameter
  MariaDbDriver driver;

  @Override
  protected RemoteStoreFixture open() {
    return new RemoteJdbcFixture(driver.server());
  }
}
