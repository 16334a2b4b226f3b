package io.hapax.testkit;

import io.hapax.store.TransactionalDedupStore;
import io.hapax.testkit.fault.FaultProxy;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;

/** A transactional store in the heap over a connection that may fail. */
final class RemoteUndoableFixture implements RemoteTransactionalStoreFixture<HeapTransaction> {

  private final UndoableFixture near = new UndoableFixture();
  private final HeapServer server = new HeapServer(0);
  private final BiFunction<HeapConnection, UndoableStore, RemoteUndoableStore> clients;

  RemoteUndoableFixture(BiFunction<HeapConnection, UndoableStore, RemoteUndoableStore> clients) {
    this.clients = clients;
  }

  @Override
  public UndoableStore store() {
    return near.store();
  }

  @Override
  public UndoableStore other() {
    return near.other();
  }

  @Override
  public List<Integer> ports() {
    return List.of(server.port());
  }

  @Override
  public TransactionalDedupStore<HeapTransaction> through(FaultProxy proxy) {
    return clients.apply(new HeapConnection(proxy.port()), near.store());
  }

  @Override
  public void advance(Duration by) {
    near.advance(by);
  }

  @Override
  public Duration retention() {
    return near.retention();
  }

  @Override
  public void writeEffect(HeapTransaction transaction, String id) {
    near.writeEffect(transaction, id);
  }

  @Override
  public void meetError(HeapTransaction transaction) {
    near.meetError(transaction);
  }

  @Override
  public void rollBackByHand(HeapTransaction transaction) {
    near.rollBackByHand(transaction);
  }

  @Override
  public int effects(String id) {
    return near.effects(id);
  }

  @Override
  public void close() {
    server.close();
    near.close();
  }
}
