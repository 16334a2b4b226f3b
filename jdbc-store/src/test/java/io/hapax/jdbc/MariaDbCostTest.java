package io.hapax.jdbc;

@TestDatabase.OnMariaDb
class MariaDbCostTest extends CostTests {}
