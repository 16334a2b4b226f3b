package io.hapax.jdbc;

class H2FrameTest extends FrameTests {

  @Override
  JdbcFixture open() {
    return new FramedFixture(Databases::h2InMemory);
  }

  @Override
  String limits() {
    return "SELECT LOCK_TIMEOUT()";
  }
}
