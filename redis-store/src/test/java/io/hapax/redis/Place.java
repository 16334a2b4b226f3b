package io.hapax.redis;

/** A place for the marks of the contract's tests, on servers that all tests share. */
enum Place {
  SERVER,
  COMPACT_SERVER,
  SENTINEL,
  CLUSTER,
  COMPACT_CLUSTER,
  /**
   * For tests that check each command: a list queries 16 shards at once, a purge each shard
   * separately.
   */
  FEW_SHARDS,
  COMPACT_FEW_SHARDS;

  /** Enough that each of three masters holds one. */
  private static final int FEW = 4;

  boolean isCompact() {
    return name().startsWith("COMPACT");
  }

  Deployment deployment() {
    return switch (this) {
      case SERVER, COMPACT_SERVER -> new Deployment.Server(Servers.shared());
      case SENTINEL -> new Deployment.Sentinel(Servers.sentinel());
      case CLUSTER, COMPACT_CLUSTER -> Deployment.Cluster.of(Servers.cluster());
      case FEW_SHARDS, COMPACT_FEW_SHARDS -> new Deployment.Cluster(Servers.cluster(), FEW);
    };
  }
}
