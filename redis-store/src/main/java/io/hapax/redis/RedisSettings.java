package io.hapax.redis;

import java.time.Duration;
import java.util.regex.Pattern;

/** The settings of {@link RedisDedupStoreBuilder}, checked once. */
record RedisSettings(
    String namespace,
    int shards,
    Layout layout,
    Duration retention,
    Duration commandTimeout,
    boolean strict,
    int replicas,
    Duration replicaTimeout) {

  static final int MAX_SHARDS = 1024;
  private static final Pattern NAMESPACE = Pattern.compile("[A-Za-z0-9_.:-]{1,40}");

  RedisSettings {
    if (!NAMESPACE.matcher(namespace).matches()) {
      throw new IllegalArgumentException("namespace is '" + namespace
          + "' but must be 1 to 40 letters, digits, underscores, dots, colons and hyphens");
    }
    if (shards < 1 || shards > MAX_SHARDS) {
      throw new IllegalArgumentException("shards is " + shards + " but must be 1 to " + MAX_SHARDS);
    }
    between("retention", retention, Duration.ofMillis(1), Duration.ofDays(36_500));
    between("commandTimeout", commandTimeout, Duration.ofMillis(1), Duration.ofMinutes(5));
    if (replicas < 0) {
      throw new IllegalArgumentException("replicas is " + replicas + " but must not be negative");
    }
    between("replicaTimeout", replicaTimeout, Duration.ofMillis(1), Duration.ofMinutes(5));
  }

  Keyspace keyspace() {
    return new Keyspace(namespace, shards, layout);
  }

  private static void between(String setting, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          setting + " is " + value + " but must be " + least + " to " + most);
    }
  }
}
