package io.hapax.jdbc;

@TestDatabase.OnMariaDb
class MariaDbTransactionEndTest extends TransactionEndTests {}
