package io.hapax.redis;

import io.hapax.store.StoreListener;
import io.hapax.store.StoreLoss;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports data that the servers of a store have lost: to the listener and to the log. */
record DataLossReporter(StoreListener listener) {

  private static final Logger LOG = LoggerFactory.getLogger(DataLossReporter.class);

  void report(StoreLoss loss, String evidence) {
    LOG.warn(
        "Redis has lost marks ({}: {}): {}; completed messages may run once more",
        loss.place(),
        loss.extent(),
        evidence);
    listener.onDataLost(loss);
  }
}
