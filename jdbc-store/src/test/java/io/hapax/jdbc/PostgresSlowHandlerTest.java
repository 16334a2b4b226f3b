package io.hapax.jdbc;

@TestDatabase.OnPostgres
class PostgresSlowHandlerTest extends SlowHandlerTests {}
