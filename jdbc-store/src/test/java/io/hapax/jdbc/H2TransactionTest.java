package io.hapax.jdbc;

@TestDatabase.OnH2
class H2TransactionTest extends TransactionTests {}
