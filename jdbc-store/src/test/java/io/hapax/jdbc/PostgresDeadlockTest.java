package io.hapax.jdbc;

@TestDatabase.OnPostgres
class PostgresDeadlockTest extends DeadlockTests {}
