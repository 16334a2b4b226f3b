package io.hapax.jdbc;

import io.hapax.store.StoreListeners;
import io.hapax.store.StoreVerb;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes marks whose time is over, and tells of those that were never done. */
final class Purge {

  private static final Logger LOG = LoggerFactory.getLogger(Purge.class);

  private final Connections connections;
  private final Statements statements;
  private final JdbcSettings settings;
  private final StoreListeners listeners;

  /**
   * With what it works on.
   *
   * @param listeners are told how many open and dead marks a transaction has removed, and of the
   *     calls in the background
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

  /** Removes at most so many marks and says how many. */
  int purge(int limit) {
    PurgePass pass = statements.purgePass();
    int removed = 0;
    while (removed < limit && !pass.isFinished()) {
      removed += step(pass, limit - removed);
    }
    return removed;
  }

  /** A pass for the background: a step of it is a batch. */
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
          "Purged {} open and {} dead marks of {} that nobody had touched for {};"
              + " a message of theirs that comes again runs as if it were new",
          purged.open(),
          purged.dead(),
          settings.table(),
          settings.retention().openForAtLeast());
      listeners.onForgotten(purged.forgotten());
    }
    return purged.all();
  }
}
