package io.hapax.internal.message;

import io.hapax.mark.MessageKey;
import io.hapax.store.DedupStore;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps the ids that are in flight in this process, for all receivers of one store object. The same
 * id never runs twice at the same time in this process, even if a lease is lost. A second message
 * with the id waits for the outcome of the first one.
 */
public final class InFlightIds {

  private static final Map<DedupStore, InFlightIds> BY_STORE =
      Collections.synchronizedMap(new WeakHashMap<>());

  private final Map<MessageKey, InFlightMessage<?>> holders = new ConcurrentHashMap<>();

  public static InFlightIds of(DedupStore store) {
    return BY_STORE.computeIfAbsent(store, any -> new InFlightIds());
  }

  /**
   * Makes a message the holder of its id, or a follower of the present holder. Returns false if
   * neither is possible: the holder has its outcome, but the user's code still runs.
   */
  public <M> boolean register(InFlightMessage<M> message) {
    MessageKey key = message.requiredKey();
    while (true) {
      InFlightMessage<?> holder = holders.putIfAbsent(key, message);
      if (holder == null || followed(holder, message)) {
        return true;
      }
      if (holder.isHandling()) {
        return false;
      }
      holders.remove(key, holder); // an error may have kept its own receiver from doing so
    }
  }

  /** Adds a follower. It gets an outcome only, so that its message type does not matter. */
  @SuppressWarnings("unchecked")
  private static <M> boolean followed(InFlightMessage<?> holder, InFlightMessage<M> message) {
    return ((InFlightMessage<M>) holder).follow(message);
  }

  public boolean heldBy(InFlightMessage<?> message) {
    return message.markable && holders.get(message.requiredKey()) == message;
  }

  /** Returns whether the message waits for an earlier one of its lane with the same id. */
  public boolean followsInItsLane(InFlightMessage<?> message) {
    InFlightMessage<?> holder = holders.get(message.requiredKey());
    return holder != null && holder != message && holder.sharesLaneWith(message);
  }

  public void release(InFlightMessage<?> message) {
    if (message.markable) {
      holders.remove(message.requiredKey(), message);
    }
  }
}
