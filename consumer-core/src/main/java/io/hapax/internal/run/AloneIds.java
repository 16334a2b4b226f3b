package io.hapax.internal.run;

import io.hapax.internal.message.InFlightMessage;
import io.hapax.mark.MessageKey;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Remembers the messages whose transaction was rolled back after their call, and whose objects
 * cannot be given to another call. They run one by one when they are redelivered, so that the
 * failing one rolls back no other. A process that does not remember them begins with one shared
 * transaction again. Thread-safe.
 */
final class AloneIds {

  /** Enough for many polls. The oldest are forgotten first. */
  private static final int MOST = 10_000;

  private final Set<MessageKey> keys = new LinkedHashSet<>();
  private volatile boolean empty = true;

  /** Returns whether one of the messages must run alone. Costs nothing while none must. */
  boolean anyOf(List<? extends InFlightMessage<?>> messages) {
    return !empty && contains(messages);
  }

  private synchronized boolean contains(List<? extends InFlightMessage<?>> messages) {
    return messages.stream().anyMatch(it -> keys.contains(it.requiredKey()));
  }

  synchronized void add(InFlightMessage<?> message) {
    if (keys.size() >= MOST) {
      keys.remove(keys.iterator().next());
    }
    keys.add(message.requiredKey());
    empty = false;
  }

  /** Forgets a message that is not redelivered. */
  synchronized void finished(InFlightMessage<?> message) {
    keys.remove(message.requiredKey());
    empty = keys.isEmpty();
  }
}
