package io.hapax.redis;

import io.hapax.store.StoreException;
import io.hapax.store.StoreListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Holds the resources of an open store: its connections and the executor of its scripts. */
final class Session implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Session.class);

  private final Backend backend;
  private final Sender watched;
  private final Optional<Sender> replicated;
  private final ScriptExecutor executor;
  private final List<String> warnings;

  private Session(
      Backend backend,
      Sender watched,
      Optional<Sender> replicated,
      ScriptExecutor executor,
      List<String> warnings) {
    this.backend = backend;
    this.watched = watched;
    this.replicated = replicated;
    this.executor = executor;
    this.warnings = warnings;
  }

  /** Opens a store; the first store of a namespace stores the layout. */
  static Session open(Backend backend, RedisSettings settings, StoreListener listener) {
    return open(backend, settings, listener, true);
  }

  /** Opens a store that finds and lists marks and writes nothing. */
  static Session openToRead(Backend backend, RedisSettings settings) {
    return open(backend, settings, new StoreListener() {}, false);
  }

  private static Session open(
      Backend backend, RedisSettings settings, StoreListener listener, boolean writes) {
    Keyspace keyspace = settings.keyspace();
    DataLossReporter reporter = new DataLossReporter(listener);
    Pipeline pipeline = connect(() -> backend.connect(settings.commandTimeout()));
    try {
      List<Backend.Master> masters = backend.masters(pipeline, settings.commandTimeout());
      List<String> warnings = check(masters, settings);
      LongConsumer bucketSizes = bucketSizes(masters, settings);
      Duration lockTimeout = settings.commandTimeout().multipliedBy(2);
      DataLossDetector lossDetector = new DataLossDetector(
          settings.shards(), reporter, () -> Layout.agree(pipeline, settings), lockTimeout);
      if (writes) {
        PermissionCheck.check(pipeline, settings, keyspace);
        Layout.agree(pipeline, settings);
        readCanaries(pipeline, keyspace, lossDetector);
      } else {
        Layout.compare(pipeline, settings);
      }
      Optional<Sender> replicated = writes ? replicated(backend, settings) : Optional.empty();
      Sender watched = new ServerChangeWatcher(
          pipeline, backend.changes(pipeline, settings.commandTimeout()), reporter, lockTimeout);
      ScriptRunner scripts = new CachedScripts(watched);
      ScriptRunner settling = replicated.<ScriptRunner>map(CachedScripts::new).orElse(scripts);
      ScriptExecutor executor = new ScriptExecutor(
          keyspace, settings.retention(), scripts, settling, lossDetector, bucketSizes);
      return new Session(backend, watched, replicated, executor, warnings);
    } catch (RuntimeException | Error e) {
      pipeline.close();
      throw e;
    }
  }

  private static <S extends Sender> S connect(Supplier<S> connecting) {
    try {
      return connecting.get();
    } catch (RedisException e) {
      throw new StoreException(
          "Redis cannot be reached: " + e.getMessage() + refusedHandshake(e), e);
    }
  }

  /** Returns the server's refusal of the handshake, with a hint if it may be that of a proxy. */
  private static String refusedHandshake(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String reason = String.valueOf(root.getMessage());
    boolean mayBeProxy =
        reason.toUpperCase(Locale.ROOT).contains("HELLO") || reason.contains("prematurely");
    return (root == failure ? "" : ": " + reason)
        + (mayBeProxy
            ? ". A proxy that does not know HELLO needs a client of your own with"
                + " protocolVersion(ProtocolVersion.RESP2) in its ClientOptions"
            : "");
  }

  private static Optional<Sender> replicated(Backend backend, RedisSettings settings) {
    if (settings.replicas() == 0) {
      return Optional.empty();
    }
    ReplicaWait replicaWait = new ReplicaWait(settings.replicas(), settings.replicaTimeout());
    Duration timeout = settings.commandTimeout().plus(settings.replicaTimeout());
    return Optional.of(connect(() -> backend.replicatedSender(replicaWait, timeout)));
  }

  private static List<String> check(List<Backend.Master> masters, RedisSettings settings) {
    Set<String> warnings = new LinkedHashSet<>();
    for (Backend.Master master : masters) {
      master
          .pipeline()
          .map(pipeline -> ServerCheck.warnings(pipeline, settings.replicas()))
          .orElse(List.of("cannot be reached, so it is unknown whether it keeps its marks"))
          .forEach(warning -> warnings.add(master.name() + warning));
    }
    if (settings.strict() && !warnings.isEmpty()) {
      throw new IllegalStateException(
          "strict is set, and Redis may forget marks: " + String.join(" | ", warnings));
    }
    warnings.forEach(warning -> LOG.warn("Redis may forget marks: {}", warning));
    return List.copyOf(warnings);
  }

  /** Checks whether buckets stay in the compact encoding; returns a consumer of their sizes. */
  private static LongConsumer bucketSizes(List<Backend.Master> masters, RedisSettings settings) {
    if (settings.layout() instanceof Layout.Strings) {
      return fields -> {};
    }
    List<HashEncoding> encodings = masters.stream()
        .flatMap(master -> master.pipeline().stream())
        .map(HashEncoding::of)
        .toList();
    List<String> warnings = encodings.stream()
        .flatMap(encoding -> encoding.warnings().stream())
        .distinct()
        .toList();
    if (settings.strict() && !warnings.isEmpty()) {
      throw new IllegalStateException("strict is set: " + String.join(" | ", warnings));
    }
    warnings.forEach(LOG::warn);
    return encodings.stream()
        .min(Comparator.comparingLong(HashEncoding::entries))
        .<LongConsumer>map(encoding -> encoding.sizes(LOG::warn))
        .orElse(fields -> {});
  }

  /** Reads the canaries, after writing the missing ones. */
  private static void readCanaries(
      Pipeline pipeline, Keyspace keyspace, DataLossDetector lossDetector) {
    String fresh = UUID.randomUUID().toString();
    List<RedisRequest> requests = new ArrayList<>();
    for (int shard = 0; shard < keyspace.shards(); shard++) {
      requests.add(RedisRequest.ofKey(CommandType.SET, keyspace.canary(shard), fresh, "NX"));
      requests.add(RedisRequest.ofKey(CommandType.GET, keyspace.canary(shard)));
    }
    List<Reply> replies = pipeline.send(requests);
    for (int shard = 0; shard < keyspace.shards(); shard++) {
      if (replies.get(2 * shard + 1) instanceof Reply.Answer answer
          && answer.content().get(0) instanceof byte[] canary) {
        lossDetector.verify(shard, canary);
      }
    }
  }

  /** Returns the warnings about the servers, as of the opening. */
  List<String> warnings() {
    return warnings;
  }

  ScriptExecutor executor() {
    return executor;
  }

  @Override
  public void close() {
    replicated.ifPresent(Sender::close);
    watched.close();
    backend.shutdown();
  }
}
