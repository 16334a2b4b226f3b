package io.hapax.testkit;

import io.hapax.store.DedupStore;
import io.hapax.testkit.fault.FaultProxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.BiFunction;

/** A store in the heap behind a server that can be killed and restarted. */
final class RemoteHeapFixture implements RemoteStoreFixture, RestartableStoreFixture {

  private static final Duration RETENTION = Duration.ofDays(8);

  private final MovableClock clock = new MovableClock();
  private final MachineStore target;
  private final BiFunction<HeapConnection, MachineStore, DedupStore> clients;
  private final DedupStore first;
  private final DedupStore second;
  private HeapServer server = new HeapServer(0);

  /**
   * Creates a fixture.
   *
   * @param opening opens the store in the server
   * @param clients opens a client over a connection that may fail
   */
  RemoteHeapFixture(
      BiFunction<InstantSource, Duration, ? extends MachineStore> opening,
      BiFunction<HeapConnection, MachineStore, DedupStore> clients) {
    this.target = opening.apply(clock, RETENTION);
    this.clients = clients;
    this.first = new RemoteMachineStore<>(new HeapConnection(server.port()), target);
    this.second = new RemoteMachineStore<>(new HeapConnection(server.port()), target);
  }

  @Override
  public DedupStore store() {
    return first;
  }

  @Override
  public DedupStore other() {
    return second;
  }

  @Override
  public List<Integer> ports() {
    return List.of(server.port());
  }

  @Override
  public DedupStore through(FaultProxy proxy) {
    return clients.apply(new HeapConnection(proxy.port()), target);
  }

  @Override
  public void advance(Duration by) {
    clock.advance(by);
  }

  @Override
  public Duration retention() {
    return RETENTION;
  }

  @Override
  public void killServer() {
    server.close();
    target.crash();
  }

  @Override
  public void restartServer() {
    server = new HeapServer(server.port());
  }

  @Override
  public void close() {
    first.close();
    second.close();
    server.close();
  }
}
