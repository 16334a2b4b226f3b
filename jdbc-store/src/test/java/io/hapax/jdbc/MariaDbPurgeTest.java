package io.hapax.jdbc;

@TestDatabase.OnMariaDb
class MariaDbPurgeTest extends PurgeTests {}
