package io.hapax.jdbc;

/** Its driver sends what nobody waits for, so only statements are counted. */
class H2CostTest extends CostTests {

  H2CostTest() {
    super("H2", Databases::h2Server);
  }
}
