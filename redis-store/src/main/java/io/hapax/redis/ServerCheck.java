package io.hapax.redis;

import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks the settings of a server that decide whether it keeps its marks. */
final class ServerCheck {

  private final Pipeline server;
  private final int replicas;
  private final List<String> warnings = new ArrayList<>();

  private ServerCheck(Pipeline server, int replicas) {
    this.server = server;
    this.replicas = replicas;
  }

  /** Returns warnings about a server; none if its settings keep all marks that Redis can keep. */
  static List<String> warnings(Pipeline server, int replicas) {
    ServerCheck check = new ServerCheck(server, replicas);
    check.eviction();
    check.persistence();
    check.replication();
    return List.copyOf(check.warnings);
  }

  private void eviction() {
    info("memory", "maxmemory_policy")
        .filter(policy -> !policy.equals("noeviction"))
        .ifPresent(policy -> warnings.add("maxmemory-policy is " + policy
            + ": a full server drops marks, and their messages may run once more; set noeviction"));
  }

  private void persistence() {
    boolean file = info("persistence", "aof_enabled").filter("1"::equals).isPresent();
    if (file) {
      setting("appendfsync")
          .filter("no"::equals)
          .ifPresent(never ->
              warnings.add("appendfsync is no: a crash of the machine forgets the marks of the"
                  + " last half minute; set everysec or always"));
      setting("no-appendfsync-on-rewrite")
          .filter("yes"::equals)
          .ifPresent(never ->
              warnings.add("no-appendfsync-on-rewrite is yes: a crash of the machine while the file"
                  + " is rewritten forgets marks; set no"));
    } else if (setting("save").filter(String::isEmpty).isPresent()) {
      warnings.add("appendonly is no and save is empty: a restart of the server forgets every mark;"
          + " set appendonly yes");
    } else {
      warnings.add("appendonly is no: a crash forgets the marks since the last snapshot; set"
          + " appendonly yes");
    }
  }

  private void replication() {
    int connected =
        info("replication", "connected_slaves").map(Integer::parseInt).orElse(0);
    if (connected > 0) {
      setting("min-replicas-to-write")
          .filter("0"::equals)
          .ifPresent(
              none -> warnings.add("min-replicas-to-write is 0: a master that is cut off continues"
                  + " to accept marks, which a failover forgets; set 1, and"
                  + " min-replicas-max-lag 10"));
      setting("min-replicas-max-lag")
          .filter("0"::equals)
          .ifPresent(never -> warnings.add("min-replicas-max-lag is 0: min-replicas-to-write is"
              + " ignored, and a master that is cut off continues to accept marks; set 10"));
    }
    if (connected < replicas) {
      warnings.add("connected replicas are " + connected + " but each settlement waits for "
          + replicas + ": all settlements fail until they are connected");
    }
  }

  private Optional<String> info(String section, String field) {
    Reply reply =
        server.send(List.of(RedisRequest.of(CommandType.INFO, section))).get(0);
    if (reply instanceof Reply.Answer answer) {
      return answer.info(field);
    }
    unknown("INFO " + section, (Reply.Failure) reply);
    return Optional.empty();
  }

  private Optional<String> setting(String name) {
    Reply reply =
        server.send(List.of(RedisRequest.of(CommandType.CONFIG, "GET", name))).get(0);
    if (reply instanceof Reply.Answer answer) {
      return answer.content().size() < 2
          ? Optional.empty()
          : Optional.of(RedisRequest.text(answer.content().get(1)));
    }
    unknown("CONFIG GET " + name, (Reply.Failure) reply);
    return Optional.empty();
  }

  private void unknown(String command, Reply.Failure failure) {
    warnings.add(command + " was refused, so it is unknown whether the server keeps its marks: "
        + failure.text());
  }
}
