package io.hapax.jdbc;

@TestDatabase.OnMariaDb
class MariaDbTransactionalExecutorTest extends TransactionalExecutorTests {}
