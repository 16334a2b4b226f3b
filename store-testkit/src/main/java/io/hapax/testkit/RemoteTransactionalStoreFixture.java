package io.hapax.testkit;

import io.hapax.store.TransactionalDedupStore;
import io.hapax.testkit.fault.FaultProxy;

/**
 * A transactional store whose marks are on a server, and other connections to it.
 *
 * @param <T> the transaction's handle
 */
public interface RemoteTransactionalStoreFixture<T>
    extends RemoteStoreFixture, TransactionalStoreFixture<T> {

  @Override
  TransactionalDedupStore<T> through(FaultProxy proxy);
}
