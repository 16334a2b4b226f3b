package io.hapax.spring.listener;

import io.hapax.spring.Idempotent.Mode;
import io.hapax.store.DedupStore;
import io.hapax.store.TransactionalDedupStore;
import java.util.Arrays;
import org.springframework.beans.factory.ListableBeanFactory;

/** Finds the store of a listener, and decides its mode. */
public final class Stores {

  private final ListableBeanFactory beans;

  public Stores(ListableBeanFactory beans) {
    this.beans = beans;
  }

  public DedupStore of(ListenerDefinition settings) {
    String[] names = beans.getBeanNamesForType(DedupStore.class);
    String wanted = settings.store();
    if (wanted.isEmpty() && names.length == 1) {
      return beans.getBean(names[0], DedupStore.class);
    }
    if (Arrays.asList(names).contains(wanted)) {
      return beans.getBean(wanted, DedupStore.class);
    }
    throw new RefusedListenerException(
        settings.listener(),
        wanted.isEmpty() ? "store of @Idempotent is not set" : "store is '" + wanted + "'",
        names.length == 0
            ? "The application has no bean that stores marks."
            : "The beans that store marks are " + String.join(", ", names) + ".",
        names.length == 0
            ? "Set hapax.store to jdbc or redis, or declare a bean of type DedupStore."
            : "Set store to one of them.");
  }

  public boolean transactional(ListenerDefinition settings, DedupStore store) {
    boolean able = store instanceof TransactionalDedupStore && joinsTransactions(store);
    if (settings.mode() == Mode.TRANSACTIONAL && !able) {
      throw new RefusedListenerException(
          settings.listener(),
          "mode is transactional",
          store instanceof TransactionalDedupStore
              ? "The store does not use the transactions of the application."
              : "The store " + store.getClass().getSimpleName() + " is no database.",
          "Use a store in the database that takes the effects, with a PlatformTransactionManager"
              + " of its DataSource, or set mode to leased.");
    }
    return able && settings.mode() != Mode.LEASED && !settings.shadow();
  }

  private boolean joinsTransactions(DedupStore store) {
    return beans.getBeanProvider(JoinedStores.class).stream()
        .anyMatch(joined -> joined.contains(store));
  }

  public interface JoinedStores {

    boolean contains(DedupStore store);
  }
}
