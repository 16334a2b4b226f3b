package io.hapax.spring.listener;

import java.util.List;

/** Is notified of each receiver that was opened. A bean. */
@FunctionalInterface
public interface OpenReceiverListener {

  /** Is called after a receiver was opened and before it gets a message. */
  void opened(String consumer, List<OpenReceiver> receivers);
}
