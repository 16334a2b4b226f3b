package io.hapax.jdbc;

class MariaDbListTest extends ListTests {

  @Override
  JdbcFixture open() {
    return new JdbcFixture(Databases::mariaDb);
  }

  @Override
  String numbers(int count) {
    return "(SELECT seq AS n FROM seq_1_to_" + count + ") AS numbers";
  }

  @Override
  String randomKey() {
    return "RANDOM_BYTES(16)";
  }

  @Override
  String bytes() {
    return "BINARY";
  }
}
