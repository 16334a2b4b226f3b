package io.hapax.testkit;

import io.hapax.store.DedupStore;
import io.hapax.testkit.fault.FaultProxy;
import java.util.List;

/** A store whose marks lie on a server, or on the nodes of a cluster, and further ways to them. */
public interface RemoteStoreFixture extends StoreFixture {

  /**
   * Where the servers listen.
   *
   * @return ports of the loopback interface: one, or one of each node that has marks
   */
  List<Integer> ports();

  /**
   * Opens one more store on the same marks, which comes to each of its servers through a proxy. It
   * keeps one connection to a server and opens another when that one breaks, gives a silent server
   * up after a second or two, and judges by the clock that {@link #advance} moves. {@link #close()}
   * closes it.
   *
   * @param proxy stands before {@link #ports() all the servers}
   * @return the store
   */
  DedupStore through(FaultProxy proxy);
}
