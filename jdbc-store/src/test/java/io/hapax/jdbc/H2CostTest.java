package io.hapax.jdbc;

/** H2's driver also sends messages without an answer, so the test counts statements only. */
class H2CostTest extends CostTests {

  H2CostTest() {
    super("H2", Databases::h2Server);
  }
}
