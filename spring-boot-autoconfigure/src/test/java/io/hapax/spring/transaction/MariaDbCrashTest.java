package io.hapax.spring.transaction;

import org.junit.jupiter.api.Tag;

@Tag("nightly")
class MariaDbCrashTest extends CrashTests {

  @Override
  TestDatabase database() {
    return TestDatabase.MARIADB;
  }
}
