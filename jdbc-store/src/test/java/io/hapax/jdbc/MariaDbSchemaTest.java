package io.hapax.jdbc;

@TestDatabase.OnMariaDb
class MariaDbSchemaTest extends SchemaTests {}
