package io.hapax.testkit;

import io.hapax.store.TransactionalDedupStore;
import io.hapax.testkit.fault.FaultProxy;

/**
 * A transactional store whose marks lie on a server, and further ways to it.
 *
 * @param <T> the transaction's handle
 */
public interface RemoteTransactionalStoreFixture<T>
    extends RemoteStoreFixture, TransactionalStoreFixture<T> {

  @Override
  TransactionalDedupStore<T> through(FaultProxy proxy);
}
