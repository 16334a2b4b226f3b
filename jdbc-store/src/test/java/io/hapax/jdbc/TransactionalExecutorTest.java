package io.hapax.jdbc;

@TestDatabase.InEachBuild
class TransactionalExecutorTest extends TransactionalExecutorTests {}
