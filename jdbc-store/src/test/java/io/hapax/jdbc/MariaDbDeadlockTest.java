package io.hapax.jdbc;

@TestDatabase.OnMariaDb
class MariaDbDeadlockTest extends DeadlockTests {}
