package io.hapax.jdbc;

@TestDatabase.OnMariaDb
class MariaDbEscapeTest extends HandlerEscapeTests {}
