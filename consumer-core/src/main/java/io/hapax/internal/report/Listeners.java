package io.hapax.internal.report;

import io.hapax.ReceiverListener;
import io.hapax.internal.runtime.Descriptions;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notifies the listeners of a receiver. */
record Listeners(List<ReceiverListener> all) {

  private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

  boolean isEmpty() {
    return all.isEmpty();
  }

  /** Notifies each listener, even if the one before it throws. */
  void publish(Consumer<ReceiverListener> event) {
    for (ReceiverListener listener : all) {
      try {
        event.accept(listener);
      } catch (Throwable e) { // one in another language may throw any
        LOG.warn("A receiver listener threw", Descriptions.loggable(e));
      }
    }
  }
}
