package io.hapax.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Starts and probes one Redis server or Sentinel. */
final class RedisProgram implements Program {

  /** The role of the process. */
  enum Role {
    SERVER,
    SENTINEL
  }

  private static final int PROBE_MILLIS = 3_000;
  private static final int SILENCE_MILLIS = 30_000;

  private final ServerPlan plan;
  private final Path redisServer;
  private final Role role;

  RedisProgram(ServerPlan plan, Path redisServer, Role role) {
    this.plan = plan;
    this.redisServer = redisServer;
    this.role = role;
  }

  @Override
  public String name() {
    return (role == Role.SENTINEL ? "Redis Sentinel at " : "Redis at ") + plan.address();
  }

  @Override
  public Process launch() {
    try {
      Path data = Files.createDirectories(plan.directory().data());
      Path file = plan.directory().path().resolve("redis.conf");
      Files.writeString(file, configuration(data) + writtenSettings(file));
      List<String> command = new ArrayList<>(List.of(redisServer.toString(), file.toString()));
      if (role == Role.SENTINEL) {
        command.add("--sentinel");
      }
      return Guard.start(plan.process(command));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot prepare " + plan.directory().path(), e);
    }
  }

  private String configuration(Path data) {
    Map<String, String> settings = new TreeMap<>();
    if (role == Role.SERVER) {
      Resources.properties("io/hapax/servers/redis.properties")
          .forEach((name, value) -> settings.put((String) name, (String) value));
    }
    settings.putAll(plan.settings());
    settings.put("bind", Loopback.HOST);
    settings.put("port", Integer.toString(plan.port()));
    settings.put("dir", '"' + data.toString() + '"');
    settings.put("daemonize", "no");
    StringBuilder text = new StringBuilder();
    settings.forEach(
        (name, value) -> text.append(name).append(' ').append(value).append('\n'));
    return text.toString();
  }

  /**
   * Returns the settings that a Sentinel has written to its file: the watched master and the other
   * instances.
   */
  private String writtenSettings(Path file) throws IOException {
    if (role == Role.SERVER || !Files.exists(file)) {
      return "";
    }
    return Files.readAllLines(file).stream()
        .filter(line -> line.startsWith("sentinel "))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /** Probes with a command. A server that requires a password counts as answering. */
  @Override
  public Optional<Throwable> probe() {
    try (RedisConnection wire = RedisConnection.to(plan.port(), PROBE_MILLIS)) {
      wire.ask(List.of("PING"));
      return Optional.empty();
    } catch (RedisConnection.Refusal e) {
      return e.toString().contains("NOAUTH") ? Optional.empty() : Optional.of(e);
    } catch (IOException e) {
      return Optional.of(e);
    }
  }

  String command(List<String> words) {
    try (RedisConnection wire = RedisConnection.to(plan.port(), SILENCE_MILLIS)) {
      return wire.ask(words);
    } catch (RedisConnection.Refusal e) {
      throw new LocalServerException(
          name() + " refuses " + words.get(0) + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw new LocalServerException(name() + " does not answer " + words.get(0), e);
    }
  }
}
