package io.hapax.jdbc;

class PostgresCostTest extends CostTests {

  PostgresCostTest() {
    super("PostgreSQL", Databases::postgresServer);
  }
}
