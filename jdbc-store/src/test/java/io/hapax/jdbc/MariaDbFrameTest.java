package io.hapax.jdbc;

@TestDatabase.OnMariaDb
class MariaDbFrameTest extends FrameTests {}
