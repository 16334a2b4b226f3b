package io.hapax.testkit;

import io.hapax.store.TransactionalDedupStore;
import io.hapax.testkit.fault.FaultProxy;
import java.util.List;
import java.util.function.BiFunction;

/** A transactional store in the heap over a connection that may fail. */
final class RemoteUndoableFixture extends UndoableFixture
    implements RemoteTransactionalStoreFixture<HeapTransaction> {

  private final HeapServer server = new HeapServer(0);
  private final BiFunction<HeapConnection, UndoableStore, RemoteUndoableStore> clients;

  RemoteUndoableFixture(BiFunction<HeapConnection, UndoableStore, RemoteUndoableStore> clients) {
    this.clients = clients;
  }

  @Override
  public List<Integer> ports() {
    return List.of(server.port());
  }

  @Override
  public TransactionalDedupStore<HeapTransaction> through(FaultProxy proxy) {
    return clients.apply(new HeapConnection(proxy.port()), store());
  }

  @Override
  public void close() {
    server.close();
    super.close();
  }
}
