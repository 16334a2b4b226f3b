package io.hapax.testkit;

import io.hapax.store.DedupStore;

/** A store whose marks lie on a server, and further ways to that server. */
public interface RemoteStoreFixture extends StoreFixture {

  /**
   * Where the server listens.
   *
   * @return a port of the loopback interface
   */
  int port();

  /**
   * Opens one more store on the same marks, which believes that its server listens at another port.
   * It keeps one connection and opens another when that one breaks, gives a silent server up after
   * a second or two, and judges by the clock that {@link #advance} moves. {@link #close()} closes
   * it.
   *
   * @param port a port of the loopback interface that leads to the server
   * @return the store
   */
  DedupStore through(int port);
}
