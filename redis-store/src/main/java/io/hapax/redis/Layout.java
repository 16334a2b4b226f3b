package io.hapax.redis;

import io.hapax.store.StoreException;
import io.lettuce.core.protocol.CommandType;
import java.util.List;

/**
 * How the marks are laid out, written down in Redis by the first store and compared by every other:
 * with another number of shards a store would not find the marks that are there.
 */
final class Layout {

  private static final int VERSION = 1;

  private Layout() {}

  /** Writes it down, or compares with what is written down. */
  static void agree(Wire wire, Keyspace keyspace) {
    String ours = "version=" + VERSION + " marks=strings shards=" + keyspace.shards();
    wire.ask(Request.ofKey(CommandType.SET, keyspace.layout(), ours, "NX"));
    List<Object> stored = wire.ask(Request.ofKey(CommandType.GET, keyspace.layout()));
    String theirs = Request.text(stored.get(0));
    if (!theirs.equals(ours)) {
      throw new StoreException("the marks in namespace '" + keyspace.namespace()
          + "' are laid out as '" + theirs + "' but this store is set to '" + ours
          + "': use the same settings, or another namespace, where no mark is known");
    }
  }
}
