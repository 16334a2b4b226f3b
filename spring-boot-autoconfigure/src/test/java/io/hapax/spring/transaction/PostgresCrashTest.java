package io.hapax.spring.transaction;

class PostgresCrashTest extends CrashTests {

  @Override
  TestDatabase database() {
    return TestDatabase.POSTGRES;
  }
}
