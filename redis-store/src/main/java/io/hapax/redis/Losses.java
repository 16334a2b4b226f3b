package io.hapax.redis;

import io.hapax.store.StoreListener;
import io.hapax.store.StoreLoss;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells whoever listens, and the log, what the servers of a store have lost. */
final class Losses {

  private static final Logger LOG = LoggerFactory.getLogger(Losses.class);

  private final StoreListener listener;

  Losses(StoreListener listener) {
    this.listener = listener;
  }

  void tell(StoreLoss loss, String evidence) {
    LOG.warn(
        "Redis has lost marks ({}: {}): {}; messages that were done may run once more",
        loss.place(),
        loss.extent(),
        evidence);
    listener.onDataLost(loss);
  }
}
