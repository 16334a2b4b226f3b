package io.hapax.redis;

import io.hapax.store.StoreException;
import io.lettuce.core.RedisException;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an open store holds: its connection, looked over, and what runs scripts on it. */
final class Session implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Session.class);

  private final Backend backend;
  private final Wire wire;
  private final Executor executor;

  private Session(Backend backend, Wire wire, Executor executor) {
    this.backend = backend;
    this.wire = wire;
    this.executor = executor;
  }

  static Session open(Backend backend, RedisSettings settings, RedisStoreListener listener) {
    Keyspace keyspace = new Keyspace(settings.namespace(), settings.shards());
    Wire wire = connect(backend, settings);
    try {
      check(backend.masters(wire, settings.commandTimeout()), settings);
      Layout.agree(wire, keyspace);
      Canaries canaries = new Canaries(settings.shards(), listener);
      look(wire, keyspace, canaries);
      return new Session(backend, wire, new Executor(keyspace, new ScriptRunner(wire), canaries));
    } catch (RuntimeException | Error e) {
      wire.close();
      throw e;
    }
  }

  private static Wire connect(Backend backend, RedisSettings settings) {
    try {
      return backend.connect(settings.commandTimeout());
    } catch (RedisException e) {
      throw new StoreException("Redis cannot be reached: " + e.getMessage(), e);
    }
  }

  private static void check(List<Wire> servers, RedisSettings settings) {
    Set<String> warnings = new LinkedHashSet<>();
    servers.forEach(server -> warnings.addAll(ServerCheck.warnings(server)));
    if (settings.strict() && !warnings.isEmpty()) {
      throw new IllegalStateException(
          "strict is set, and Redis may forget marks: " + String.join(" | ", warnings));
    }
    warnings.forEach(warning -> LOG.warn("Redis may forget marks: {}", warning));
  }

  /** The first store writes the canaries, every store remembers them. */
  private static void look(Wire wire, Keyspace keyspace, Canaries canaries) {
    String fresh = UUID.randomUUID().toString();
    List<Request> requests = new ArrayList<>();
    for (int shard = 0; shard < keyspace.shards(); shard++) {
      requests.add(Request.ofKey(CommandType.SET, keyspace.canary(shard), fresh, "NX"));
      requests.add(Request.ofKey(CommandType.GET, keyspace.canary(shard)));
    }
    List<Reply> replies = wire.send(requests);
    for (int shard = 0; shard < keyspace.shards(); shard++) {
      if (replies.get(2 * shard + 1) instanceof Reply.Answer answer
          && answer.content().get(0) instanceof byte[] canary) {
        canaries.seen(shard, canary);
      }
    }
  }

  Executor executor() {
    return executor;
  }

  @Override
  public void close() {
    wire.close();
    backend.shutdown();
  }
}
