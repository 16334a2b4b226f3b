package io.hapax.bench;

import io.hapax.store.InMemoryDedupStore;
import java.time.InstantSource;
import java.util.List;

/** The in-memory store, for comparison. It has no server, floor or limit. */
final class MemoryTarget implements BenchmarkTarget {

  private static final int BATCH = 500;

  private final Messages messages = new Messages(false);
  private InMemoryDedupStore store = empty();

  /** Returns a new in-memory store. */
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
    StoreTasks.fill(store, messages, 0, known, BATCH);
  }

  @Override
  public List<Contender> contenders(int batch, long known) {
    return StoreTasks.leased(store, messages, batch, known);
  }

  @Override
  public List<Contender> floors() {
    return List.of();
  }

  @Override
  public void close() {
    store.close();
  }
}
