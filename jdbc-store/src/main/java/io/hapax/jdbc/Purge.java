package io.hapax.jdbc;

import io.hapax.mark.MarkState;
import io.hapax.store.StoreCall;
import io.hapax.store.StoreListeners;
import java.util.Collections;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes expired marks, and reports those that were never done. */
record Purge(
    Connections connections,
    Statements statements,
    JdbcSettings settings,
    StoreListeners listeners) {

  private static final Logger LOG = LoggerFactory.getLogger(Purge.class);

  /** Removes at most {@code limit} marks and returns how many. */
  int purge(int limit) {
    PurgeStatements.Pass pass = statements.purgePass();
    int removed = 0;
    while (removed < limit && !pass.isFinished()) {
      removed += step(pass, limit - removed);
    }
    return removed;
  }

  /** Begins a pass for the background; each step is a batch. */
  Purger.Pass pass() {
    PurgeStatements.Pass pass = statements.purgePass();
    return batchSize -> {
      listeners.call(StoreCall.Verb.PURGE, batchSize, () -> step(pass, batchSize));
      return !pass.isFinished();
    };
  }

  private int step(PurgeStatements.Pass pass, int limit) {
    List<MarkState> removed = connections.transaction("purge", handle -> pass.step(handle, limit));
    int done = Collections.frequency(removed, MarkState.DONE);
    int dead = Collections.frequency(removed, MarkState.DEAD);
    int forgotten = removed.size() - done;
    if (forgotten > 0) {
      LOG.warn(
          "Purged {} open and {} dead marks of {} that had not changed for {};"
              + " if one of their messages is redelivered it runs as new",
          forgotten - dead,
          dead,
          settings.table(),
          settings.retention().openForAtLeast());
      listeners.onForgotten(forgotten);
    }
    return removed.size();
  }
}
