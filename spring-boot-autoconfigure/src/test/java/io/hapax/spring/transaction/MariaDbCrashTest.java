package io.hapax.spring.transaction;

class MariaDbCrashTest extends CrashTests {

  @Override
  TestDatabase database() {
    return TestDatabase.MARIADB;
  }
}
