package io.hapax.spring.listener;

import java.util.List;

/** Is notified of each receiver that was opened, before it gets a message. A bean. */
@FunctionalInterface
public interface OpenReceiverListener {

  void opened(String consumer, List<OpenReceiver> receivers);
}
