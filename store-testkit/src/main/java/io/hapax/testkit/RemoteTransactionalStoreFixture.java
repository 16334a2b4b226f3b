package io.hapax.testkit;

import io.hapax.store.TransactionalDedupStore;

/**
 * A transactional store whose marks lie on a server, and further ways to that server.
 *
 * @param <T> the transaction's handle
 */
public interface RemoteTransactionalStoreFixture<T>
    extends RemoteStoreFixture, TransactionalStoreFixture<T> {

  @Override
  TransactionalDedupStore<T> through(int port);
}
