package io.hapax.bench;

import io.hapax.store.DedupStore;
import java.util.List;

/** A store on a running server. */
interface BenchmarkTarget extends AutoCloseable {

  /** Returns the server's version and the settings that decide its speed. */
  String settings() throws Exception;

  /** Returns the store; another one after each fill if it is in memory or in Redis. */
  DedupStore store();

  void fill(long known) throws Exception;

  /** Returns the contenders at a batch size. */
  List<Contender> contenders(int batch, long known);

  List<Contender> floors();

  @Override
  void close();
}
