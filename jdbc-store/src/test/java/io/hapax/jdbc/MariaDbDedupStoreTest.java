package io.hapax.jdbc;

import io.hapax.testkit.DedupStoreContract;
import io.hapax.testkit.ListenableStoreContract;
import io.hapax.testkit.StoreFixture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** MariaDB through either driver. */
@Tag("nightly")
@ParameterizedClass
@EnumSource
class MariaDbDedupStoreTest extends DedupStoreContract implements ListenableStoreContract {

  @Parameter
  MariaDbDriver driver;

  @Override
  protected StoreFixture open() {
    return new JdbcFixture(driver::pool);
  }
}
