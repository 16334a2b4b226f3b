package io.hapax.jdbc;

import io.hapax.testkit.ListenableConnectionContract;
import io.hapax.testkit.LossyConnectionContract;
import io.hapax.testkit.RemoteStoreFixture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("nightly")
@ParameterizedClass
@EnumSource(names = {"H2", "MARIADB", "MYSQL_DRIVER"})
class JdbcLossyConnectionTest extends LossyConnectionContract
    implements ListenableConnectionContract {

  @Parameter
  TestDatabase database;

  @Override
  protected RemoteStoreFixture open() {
    return new RemoteJdbcFixture(database.server());
  }
}
