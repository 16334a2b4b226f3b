package io.hapax.jdbc;

import io.hapax.testkit.CrowdContract;
import io.hapax.testkit.StoreFixture;

class H2CrowdTest extends CrowdContract {

  @Override
  protected StoreFixture open() {
    return new JdbcFixture(Databases::h2InMemory);
  }
}
