package io.hapax.bench;

import io.hapax.servers.LocalKafka;
import io.hapax.store.DedupStore;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The servers beside measured consumers, each from its first use on, all of them durable. */
final class Servers implements AutoCloseable {

  private final Map<StoreKind, BenchmarkTarget> targets = new EnumMap<>(StoreKind.class);
  private @Nullable LocalKafka kafka;

  LocalKafka kafka() {
    if (kafka == null) {
      kafka = LocalKafka.builder()
          .jvmOption("-Xmx1g")
          .jvmOption("-XX:TieredStopAtLevel=4")
          .start();
    }
    return kafka;
  }

  RedisTarget redis() throws Exception {
    return (RedisTarget) target(StoreKind.REDIS);
  }

  SqlTarget postgres() throws Exception {
    return (SqlTarget) target(StoreKind.POSTGRES);
  }

  BenchmarkTarget target(StoreKind kind) throws Exception {
    BenchmarkTarget target = targets.get(kind);
    if (target == null) {
      target = kind.open();
      targets.put(kind, target);
    }
    return target;
  }

  DedupStore store(StoreKind kind) throws Exception {
    return kind == StoreKind.MEMORY ? MemoryTarget.empty() : target(kind).store();
  }

  /**
   * Removes what the subjects before have written to tables, so that all begin with few marks, as
   * in the benchmark of the stores. In Redis marks are left: each subject has ids of its own, and
   * their number makes no difference.
   */
  void clear() throws Exception {
    if (targets.containsKey(StoreKind.POSTGRES)) {
      postgres().fill(StoresCommand.KNOWN_AT_LEAST);
    }
  }

  String settings() throws Exception {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<StoreKind, BenchmarkTarget> used : targets.entrySet()) {
      text.append("  " + used.getKey() + ": " + used.getValue().settings() + '\n');
    }
    return text.toString();
  }

  @Override
  public void close() {
    targets.values().forEach(BenchmarkTarget::close);
    if (kafka != null) {
      kafka.close();
    }
  }
}
