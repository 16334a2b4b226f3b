package io.hapax.internal.message;

import io.hapax.mark.MessageKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Remembers something about messages that are to be redelivered. The oldest are forgotten first.
 * Thread-safe.
 */
public final class RememberedMessages<V> {

  private final int most;
  private final Map<MessageKey, V> byKey = new LinkedHashMap<>();
  private volatile boolean empty = true;

  public RememberedMessages(int most) {
    this.most = most;
  }

  /** Costs nothing, so that it may be asked for each message. */
  public boolean isEmpty() {
    return empty;
  }

  public synchronized Optional<V> get(InFlightMessage<?> message) {
    return Optional.ofNullable(byKey.get(message.requiredKey()));
  }

  public synchronized void put(InFlightMessage<?> message, V value) {
    byKey.put(message.requiredKey(), value);
    if (byKey.size() > most) {
      Iterator<MessageKey> oldest = byKey.keySet().iterator();
      oldest.next();
      oldest.remove();
    }
    empty = false;
  }

  public synchronized void remove(InFlightMessage<?> message) {
    byKey.remove(message.requiredKey());
    empty = byKey.isEmpty();
  }
}
