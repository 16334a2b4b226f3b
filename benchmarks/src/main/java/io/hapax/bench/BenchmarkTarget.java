package io.hapax.bench;

import java.util.List;
import java.util.Map;

/** A store on a running server. */
interface BenchmarkTarget extends AutoCloseable {

  /** Returns the server's version and the settings that decide its speed. */
  Map<String, String> settings() throws Exception;

  /** Empties the store and its comparison tables, and inserts the known messages. */
  void fill(long known) throws Exception;

  /** Returns the contenders at a batch size. */
  List<Contender> contenders(int batch, long known);

  /** Returns the floors, which work message by message. */
  List<Contender> floors();

  /** Resets the server's counters. */
  default void resetCounters() throws Exception {}

  /** Returns the server's counters of commands since the reset; empty if it counts none. */
  default String counters() throws Exception {
    return "";
  }

  @Override
  void close();
}
