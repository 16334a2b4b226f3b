package io.hapax.bench;

import io.hapax.bench.Contender.Operation;
import io.hapax.bench.Contender.Role;
import io.hapax.bench.Contender.Task;
import io.hapax.store.InMemoryDedupStore;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Supplier;

/** The in-memory store, for comparison. It has no server, floor or limit. */
final class MemoryTarget implements BenchmarkTarget {

  private InMemoryDedupStore store = empty();

  static InMemoryDedupStore empty() {
    return new InMemoryDedupStore(InstantSource.system(), Messages.RETENTION);
  }

  @Override
  public String settings() {
    return "in this process";
  }

  @Override
  public InMemoryDedupStore store() {
    return store;
  }

  @Override
  public void fill(long known) {
    store = empty();
    StoreTasks.fill(store, known);
  }

  @Override
  public Map<Operation, Supplier<Task>> tasks(Role role) {
    return role == Role.HAPAX ? StoreTasks.leased(store) : Map.of();
  }

  @Override
  public void close() {
    store.close();
  }
}
