package io.hapax.jdbc;

@TestDatabase.InEachBuild
class SchemaTest extends SchemaTests {}
