package io.hapax.internal.message;

import io.hapax.mark.MessageKey;
import io.hapax.store.DedupStore;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The ids that are on their way in this process, shared by all receivers of one store object: the
 * same id never runs twice at once here, even if a lease is lost. The second occurrence follows the
 * first.
 */
public final class InFlightIds {

  private static final Map<DedupStore, InFlightIds> BY_STORE =
      Collections.synchronizedMap(new WeakHashMap<>());

  private final Map<MessageKey, InFlightMessage<?>> holders = new ConcurrentHashMap<>();

  public static InFlightIds of(DedupStore store) {
    return BY_STORE.computeIfAbsent(store, any -> new InFlightIds());
  }

  /**
   * Makes the item stand for its id, or follow the one that does.
   *
   * @return false if it can do neither: the user's code still runs for an item that has been given
   *     up
   */
  public <M> boolean register(MessageKey key, InFlightMessage<M> item) {
    while (true) {
      InFlightMessage<?> holder = holders.putIfAbsent(key, item);
      if (holder == null || followed(holder, item)) {
        return true;
      }
      if (holder.isHandling()) {
        return false;
      }
    }
  }

  /** Followers are only ever told an outcome, so that the kind of their message does not matter. */
  @SuppressWarnings("unchecked")
  private static <M> boolean followed(InFlightMessage<?> holder, InFlightMessage<M> item) {
    return ((InFlightMessage<M>) holder).follow(item);
  }

  /** Whether the item, and not another on its way in this process, stands for its id. */
  public boolean heldBy(InFlightMessage<?> item) {
    return item.markable && holders.get(item.requiredKey()) == item;
  }

  /** Whether the item waits for an earlier one of its lane. */
  public boolean followsInItsLane(InFlightMessage<?> item) {
    InFlightMessage<?> holder = holders.get(item.requiredKey());
    return holder != null && holder != item && holder.sharesLaneWith(item);
  }

  void release(MessageKey key, InFlightMessage<?> item) {
    holders.remove(key, item);
  }
}
