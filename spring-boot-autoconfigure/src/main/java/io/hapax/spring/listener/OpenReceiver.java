package io.hapax.spring.listener;

import io.hapax.IdempotentReceiver;
import io.hapax.store.DedupStore;

/** The receiver of a listener, and the store of its marks. */
public record OpenReceiver(
    ListenerDefinition settings, IdempotentReceiver<?> receiver, DedupStore store) {

  /** {@return the mode in one word: shadow, transactional or leased} */
  public String mode() {
    return settings.shadow()
        ? "shadow"
        : receiver.port().settings().transactional() ? "transactional" : "leased";
  }
}
