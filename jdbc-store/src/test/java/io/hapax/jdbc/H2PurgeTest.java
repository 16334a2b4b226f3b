package io.hapax.jdbc;

@TestDatabase.OnH2
class H2PurgeTest extends PurgeTests {}
