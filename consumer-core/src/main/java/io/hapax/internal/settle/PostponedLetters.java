package io.hapax.internal.settle;

import io.hapax.DeadLetter.Kind;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.MessageKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Remembers why messages are to be dead-lettered whose objects a handler may have changed. A dead
 * letter must hold what was sent, so the next delivery is published. A process that does not
 * remember a message runs its next attempt instead. Thread-safe.
 */
final class PostponedLetters {

  /** Why a message is dead-lettered. */
  record Letter(
      int attempts, Kind kind, String detail, boolean inDoubt, Optional<Throwable> error) {}

  /** The oldest are forgotten first. */
  private static final int MOST = 1_000;

  private final Map<MessageKey, Letter> letters = new LinkedHashMap<>();
  private volatile boolean empty = true;

  /** Returns whether the message must not be published in this delivery. */
  static boolean mustWait(InFlightMessage<?> message) {
    return message.incoming.handout().isSpent() && !message.incoming.lastDelivery();
  }

  synchronized void add(InFlightMessage<?> message, Letter letter) {
    letters.put(message.requiredKey(), letter);
    if (letters.size() > MOST) {
      Iterator<MessageKey> oldest = letters.keySet().iterator();
      oldest.next();
      oldest.remove();
    }
    empty = false;
  }

  /**
   * Returns why the message is to be dead-lettered. Costs nothing while no message is.
   *
   * @param acquired its claim. Without the store there is none, and after the loss of its mark its
   *     attempts begin anew: then it runs
   */
  Optional<Letter> letter(InFlightMessage<?> message, Acquired acquired) {
    return empty ? Optional.empty() : find(message, acquired.claim().attempt().number());
  }

  private synchronized Optional<Letter> find(InFlightMessage<?> message, int attempt) {
    return Optional.ofNullable(letters.get(message.requiredKey()))
        .filter(it -> attempt > it.attempts());
  }

  synchronized void remove(InFlightMessage<?> message) {
    letters.remove(message.requiredKey());
    empty = letters.isEmpty();
  }
}
