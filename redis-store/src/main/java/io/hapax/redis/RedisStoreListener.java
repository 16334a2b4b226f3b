package io.hapax.redis;

/**
 * Is told what the store finds out about its server, to count it. Called from the threads that use
 * the store, which wait for it: it must be quick and must not throw.
 */
public interface RedisStoreListener {

  /** Does nothing. */
  RedisStoreListener NONE = shard -> {};

  /**
   * A shard has lost its data since this store last saw it: the server was emptied, restored from
   * an older state, or replaced by one that had not got everything. Messages that were done there
   * may run once more; a mark that is open is written anew when its owner settles it.
   *
   * @param shard the shard's number, from 0
   */
  void dataLost(int shard);
}
