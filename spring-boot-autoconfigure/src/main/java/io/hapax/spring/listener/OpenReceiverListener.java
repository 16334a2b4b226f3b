package io.hapax.spring.listener;

import java.util.List;

/** Is notified of each receiver that was opened. A bean. */
@FunctionalInterface
public interface OpenReceiverListener {

  /**
   * Is called after a receiver was opened and before it gets a message.
   *
   * @param consumer the consumer's name
   * @param receivers all receivers of that consumer in this application
   */
  void opened(String consumer, List<OpenReceiver> receivers);
}
