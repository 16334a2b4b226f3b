package io.hapax.jdbc;

/** H2's driver also sends messages without an answer, so only its statements are counted. */
@TestDatabase.InEachBuild
class CostTest extends CostTests {}
