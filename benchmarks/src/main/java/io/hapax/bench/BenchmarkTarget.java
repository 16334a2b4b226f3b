package io.hapax.bench;

import io.hapax.bench.Contender.Operation;
import io.hapax.bench.Contender.Role;
import io.hapax.bench.Contender.Task;
import io.hapax.store.DedupStore;
import java.util.Map;
import java.util.function.Supplier;

/** A store on a running server. */
interface BenchmarkTarget extends AutoCloseable {

  /** Returns the server's version and the settings that decide its speed. */
  String settings() throws Exception;

  /** Returns the store; another one after each fill if it is in memory or in Redis. */
  DedupStore store();

  void fill(long known) throws Exception;

  /** Returns the source of tasks, one for each thread, for each operation of a role. */
  Map<Operation, Supplier<Task>> tasks(Role role);

  @Override
  void close();
}
