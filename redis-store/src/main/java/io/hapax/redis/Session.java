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
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an open store holds: its connection, looked over, and what runs scripts on it. */
final class Session implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Session.class);

  private final Backend backend;
  private final Sender watched;
  private final Optional<Sender> replicated;
  private final Executor executor;

  private Session(Backend backend, Sender watched, Optional<Sender> replicated, Executor executor) {
    this.backend = backend;
    this.watched = watched;
    this.replicated = replicated;
    this.executor = executor;
  }

  /** Opens a store; the first one of a namespace writes down how its marks are laid out. */
  static Session open(Backend backend, RedisSettings settings, StoreListener told) {
    return open(backend, settings, told, true);
  }

  /** Opens a store that finds and lists marks, and writes nothing. */
  static Session openToRead(Backend backend, RedisSettings settings) {
    return open(backend, settings, new StoreListener() {}, false);
  }

  private static Session open(
      Backend backend, RedisSettings settings, StoreListener told, boolean writes) {
    Keyspace keyspace = settings.keyspace();
    Losses losses = new Losses(told);
    Wire wire = connect(() -> backend.connect(settings.commandTimeout()));
    try {
      List<Backend.Master> masters = backend.masters(wire, settings.commandTimeout());
      check(masters, settings);
      Crowding crowding = crowding(masters, settings);
      Duration patience = settings.commandTimeout().multipliedBy(2);
      Canaries canaries =
          new Canaries(settings.shards(), losses, () -> Layout.agree(wire, settings), patience);
      if (writes) {
        Rights.check(wire, settings, keyspace);
        Layout.agree(wire, settings);
        look(wire, keyspace, canaries);
      } else {
        Layout.compare(wire, settings);
      }
      Optional<Sender> replicated = writes ? replicated(backend, settings) : Optional.empty();
      Watched.Changes changes = backend.changes(wire, settings.commandTimeout());
      Sender watched = new Watched(wire, changes, losses, patience);
      ScriptRunner scripts = new CachedScripts(watched);
      ScriptRunner settling = replicated.<ScriptRunner>map(CachedScripts::new).orElse(scripts);
      Executor executor =
          new Executor(keyspace, settings.retention(), scripts, settling, canaries, crowding);
      return new Session(backend, watched, replicated, executor);
    } catch (RuntimeException | Error e) {
      wire.close();
      throw e;
    }
  }

  private static <S extends Sender> S connect(Supplier<S> connecting) {
    try {
      return connecting.get();
    } catch (RedisException e) {
      throw new StoreException("Redis cannot be reached: " + e.getMessage(), e);
    }
  }

  private static Optional<Sender> replicated(Backend backend, RedisSettings settings) {
    if (settings.replicas() == 0) {
      return Optional.empty();
    }
    ReplicaFence fence = new ReplicaFence(settings.replicas(), settings.replicaPatience());
    Duration timeout = settings.commandTimeout().plus(settings.replicaPatience());
    return Optional.of(connect(() -> backend.awaitingReplicas(fence, timeout)));
  }

  private static void check(List<Backend.Master> masters, RedisSettings settings) {
    Set<String> warnings = new LinkedHashSet<>();
    for (Backend.Master master : masters) {
      master
          .wire()
          .map(wire -> ServerCheck.warnings(wire, settings.replicas()))
          .orElse(List.of("cannot be reached, so it is not known whether it keeps its marks"))
          .forEach(warning -> warnings.add(master.name() + warning));
    }
    if (settings.strict() && !warnings.isEmpty()) {
      throw new IllegalStateException(
          "strict is set, and Redis may forget marks: " + String.join(" | ", warnings));
    }
    warnings.forEach(warning -> LOG.warn("Redis may forget marks: {}", warning));
  }

  /** Whether buckets stay as small as they are meant to be. */
  private static Crowding crowding(List<Backend.Master> masters, RedisSettings settings) {
    if (settings.layout() instanceof Layout.Strings) {
      return new Crowding(Encoding.UNUSED, LOG::warn);
    }
    List<Encoding> encodings = masters.stream()
        .flatMap(master -> master.wire().stream())
        .map(Encoding::of)
        .toList();
    List<String> warnings = encodings.stream()
        .flatMap(encoding -> encoding.warnings().stream())
        .distinct()
        .toList();
    if (settings.strict() && !warnings.isEmpty()) {
      throw new IllegalStateException("strict is set: " + String.join(" | ", warnings));
    }
    warnings.forEach(LOG::warn);
    return new Crowding(
        encodings.stream().min(Comparator.comparingLong(Encoding::entries)).orElse(Encoding.UNUSED),
        LOG::warn);
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
    replicated.ifPresent(Sender::close);
    watched.close();
    backend.shutdown();
  }
}
