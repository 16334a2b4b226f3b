package io.hapax.testkit;

import io.hapax.store.DedupStore;
import io.hapax.testkit.fault.FaultProxy;
import java.util.List;

/**
 * A store whose marks are on a server, or on the nodes of a cluster, and other connections to it.
 */
public interface RemoteStoreFixture extends StoreFixture {

  /**
   * Returns the ports of the servers on the loopback interface: one, or one for each node that
   * holds marks.
   */
  List<Integer> ports();

  /**
   * Opens another store on the same marks that reaches each server through a proxy before
   * {@link #ports() all the servers}. It keeps one connection to a server and replaces it when it
   * breaks. It gives a silent server up after a second or two, and uses the clock that
   * {@link #advance} moves. {@link #close()} closes it.
   */
  DedupStore through(FaultProxy proxy);
}
