package io.hapax.jdbc;

import io.hapax.store.StoreListeners;
import io.hapax.store.StoreVerb;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes expired marks, and reports those that were never done. */
final class Purge {

  private static final Logger LOG = LoggerFactory.getLogger(Purge.class);

  private final Connections connections;
  private final Statements statements;
  private final JdbcSettings settings;
  private final StoreListeners listeners;

  /**
   * Creates a purge.
   *
   * @param listeners receive the number of open and dead marks that each transaction removed, and
   *     the calls in the background
   */
  Purge(
      Connections connections,
      Statements statements,
      JdbcSettings settings,
      StoreListeners listeners) {
    this.connections = connections;
    this.statements = statements;
    this.settings = settings;
    this.listeners = listeners;
  }

  /** Removes at most {@code limit} marks and returns how many. */
  int purge(int limit) {
    PurgePass pass = statements.purgePass();
    int removed = 0;
    while (removed < limit && !pass.isFinished()) {
      removed += step(pass, limit - removed);
    }
    return removed;
  }

  /** Begins a pass for the background; each step is a batch. */
  Purger.Pass pass() {
    PurgePass pass = statements.purgePass();
    return batchSize -> {
      listeners.call(StoreVerb.PURGE, batchSize, () -> step(pass, batchSize));
      return !pass.isFinished();
    };
  }

  private int step(PurgePass pass, int limit) {
    Purged purged = connections.transaction("purge", handle -> pass.step(handle, limit));
    if (purged.forgotten() > 0) {
      LOG.warn(
          "Purged {} open and {} dead marks of {} that had not changed for {};"
              + " if one of their messages is redelivered it runs as new",
          purged.open(),
          purged.dead(),
          settings.table(),
          settings.retention().openForAtLeast());
      listeners.onForgotten(purged.forgotten());
    }
    return purged.all();
  }
}
