package io.hapax.jdbc;

class H2ListTest extends ListTests {

  @Override
  JdbcFixture open() {
    return new JdbcFixture(Databases::h2InMemory);
  }

  @Override
  String numbers(int count) {
    return "(SELECT X AS n FROM SYSTEM_RANGE(1, " + count + ")) AS numbers";
  }

  @Override
  String randomKey() {
    return "RANDOM_UUID()";
  }

  @Override
  String bytes() {
    return "VARBINARY";
  }
}
