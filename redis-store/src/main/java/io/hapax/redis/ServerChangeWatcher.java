package io.hapax.redis;

import io.hapax.store.StoreLoss;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * Sends commands, and reports every change of servers before it returns their replies. A claim on a
 * restarted or promoted server may run a message once more; the report that explains this comes
 * first, whichever caller detects the change.
 */
final class ServerChangeWatcher implements Sender {

  /**
   * A change: another server, or the same server after a restart, holds the marks; or the server
   * has evicted keys.
   */
  record Change(StoreLoss loss, String evidence) {

    /** Another server, or the same one after a restart. */
    static Change latest(String place, String evidence) {
      return new Change(new StoreLoss(place, StoreLoss.Extent.LATEST), evidence);
    }

    static Change evicted(String place, String evidence) {
      return new Change(new StoreLoss(place, StoreLoss.Extent.EVICTED), evidence);
    }
  }

  /** Detects changes of servers. */
  interface Changes {

    /** Returns whether a change may have happened that is not detected yet. Fast, any thread. */
    boolean mayHaveChanged();

    /**
     * Detects changes and reports each once, while it is still pending. A change that cannot be
     * determined now remains pending. Called by one thread at a time.
     */
    void detect(Consumer<Change> detected);

    /** Stops watching. */
    default void close() {}
  }

  private final Pipeline pipeline;
  private final List<Changes> changes;
  private final DataLossReporter reporter;
  private final BoundedLock lock;

  /** A detected change stays here until it is reported, also if an exception comes between. */
  private final Queue<Change> unreported = new ConcurrentLinkedQueue<>();

  ServerChangeWatcher(
      Pipeline pipeline, List<Changes> changes, DataLossReporter reporter, Duration timeout) {
    this.pipeline = pipeline;
    this.changes = changes;
    this.reporter = reporter;
    this.lock = new BoundedLock(timeout);
  }

  @Override
  public List<Reply> send(List<RedisRequest> requests) {
    List<Reply> replies = pipeline.send(requests);
    if (mayHaveChanged()
        || !unreported.isEmpty()) { // in this order: a change is queued while it is still pending
      lock.runExclusively(this::detectAndReport);
    }
    return replies;
  }

  private boolean mayHaveChanged() {
    return changes.stream().anyMatch(Changes::mayHaveChanged);
  }

  private void detectAndReport() {
    try {
      if (mayHaveChanged()) { // unless another caller has detected it meanwhile
        changes.forEach(each -> each.detect(unreported::add));
      }
    } finally {
      report();
    }
  }

  private void report() {
    for (Change next = unreported.peek(); next != null; next = unreported.peek()) {
      reporter.report(next.loss(), next.evidence());
      unreported.remove();
    }
  }

  @Override
  public void close() {
    changes.forEach(Changes::close);
    pipeline.close();
  }
}
