package io.hapax.internal;

import io.hapax.mark.MessageKey;
import io.hapax.store.DedupStore;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The ids that are on their way in this process, shared by all receivers of one store object: the
 * same id never runs twice at once here, even if a lease is lost. The second occurrence follows the
 * first.
 */
final class RunningIds {

  private static final Map<DedupStore, RunningIds> BY_STORE =
      Collections.synchronizedMap(new WeakHashMap<>());

  private final Map<MessageKey, Item<?>> holders = new ConcurrentHashMap<>();

  static RunningIds of(DedupStore store) {
    return BY_STORE.computeIfAbsent(store, any -> new RunningIds());
  }

  /** Makes the item stand for its id, or follow the one that does. */
  <M> void register(MessageKey key, Item<M> item) {
    while (true) {
      Item<?> holder = holders.putIfAbsent(key, item);
      if (holder == null || followed(holder, item)) {
        return;
      }
    }
  }

  /** Followers are only ever told an outcome, so that the kind of their message does not matter. */
  @SuppressWarnings("unchecked")
  private static <M> boolean followed(Item<?> holder, Item<M> item) {
    return ((Item<M>) holder).follow(item);
  }

  @Nullable
  Item<?> holder(MessageKey key) {
    return holders.get(key);
  }

  void release(MessageKey key, Item<?> item) {
    holders.remove(key, item);
  }
}
