package io.hapax.jdbc;

@TestDatabase.InEachBuild
class FrameTest extends FrameTests {}
