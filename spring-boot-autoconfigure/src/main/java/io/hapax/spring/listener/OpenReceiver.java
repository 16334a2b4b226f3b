package io.hapax.spring.listener;

import io.hapax.IdempotentReceiver;
import io.hapax.store.DedupStore;
import java.util.List;

/** The receiver of a listener, and the store of its marks. */
public record OpenReceiver(
    ListenerDefinition settings, IdempotentReceiver<?> receiver, DedupStore store) {

  /** {@return the mode in one word: shadow, transactional or leased} */
  public String mode() {
    return settings.shadow() ? "shadow" : receiver.transactional() ? "transactional" : "leased";
  }

  /** Is notified of each receiver that was opened. A bean. */
  @FunctionalInterface
  public interface Listener {

    /** Is called after a receiver was opened and before it gets a message. */
    void opened(String consumer, List<OpenReceiver> receivers);
  }
}
