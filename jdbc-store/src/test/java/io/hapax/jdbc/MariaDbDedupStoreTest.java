package io.hapax.jdbc;

import io.hapax.testkit.DedupStoreContract;
import io.hapax.testkit.ListenableStoreContract;
import io.hapax.testkit.StoreFixture;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** MariaDB through either driver. */
@ParameterizedClass
@EnumSource
class MariaDbDedupStoreTest extends DedupStoreContract implements ListenableStoreContract {

  private final MariaDbDriver driver;

  MariaDbDedupStoreTest(MariaDbDriver driver) {
    this.driver = driver;
  }

  @Override
  protected StoreFixture open() {
    return new JdbcFixture(driver::pool);
  }

  @Override
  public int histories() {
    return driver == MariaDbDriver.MARIADB ? super.histories() : 60;
  }
}
