package io.hapax.redis;

import io.hapax.store.LossReporting;
import io.hapax.store.StoreLoss;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells whoever subscribed, and the log, what the servers of a store have lost. */
final class Losses implements LossReporting {

  private static final Logger LOG = LoggerFactory.getLogger(Losses.class);

  /** A listener as often as it subscribed: each ends its own subscription. */
  private record Listening(Consumer<StoreLoss> listener, Object identity) {}

  private final List<Listening> subscribed = new CopyOnWriteArrayList<>();

  @Override
  public Subscription subscribe(Consumer<StoreLoss> listener) {
    Listening listening = new Listening(listener, new Object());
    subscribed.add(listening);
    return () -> subscribed.remove(listening);
  }

  void tell(StoreLoss loss, String evidence) {
    LOG.warn(
        "Redis has lost marks ({}: {}): {}; messages that were done may run once more",
        loss.place(),
        loss.extent(),
        evidence);
    subscribed.forEach(listening -> listening.listener().accept(loss));
  }
}
