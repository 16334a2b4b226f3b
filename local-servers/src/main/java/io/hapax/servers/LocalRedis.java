package io.hapax.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A real Redis server, version 6.2, run from the binary of a Maven artifact.
 *
 * <pre>{@code
 * try (LocalRedis redis = LocalRedis.start()) {
 *   ... RedisClient.create(redis.uri()) ...
 * }
 * }</pre>
 *
 * <p>It has the usual durability of Redis: an append-only file that reaches the disk each second. A
 * crash of the machine loses little more than a second. A kill of the process loses nothing while
 * the disk is fast enough, and at most two seconds while Redis waits for the disk. The server has
 * no password.
 *
 * <p>The system property {@value #PROGRAM} runs another version in the whole JVM: it names a
 * {@code redis-server} of this machine.
 */
public final class LocalRedis extends LocalServer {

  /** The system property that names another {@code redis-server}. */
  public static final String PROGRAM = "hapax.servers.redis";

  private static final int PROBE_MILLIS = 3_000;
  private static final int SILENCE_MILLIS = 30_000;
  private static final int TO_BUS = 10_000;

  /** Whether this server is a Sentinel, which has no data except for its configuration. */
  private final boolean sentinel;

  private LocalRedis(Builder<LocalRedis> builder, boolean sentinel) {
    super(sentinel ? "Redis Sentinel" : "Redis", builder);
    this.sentinel = sentinel;
  }

  /** Starts a server with the default settings. */
  public static LocalRedis start() {
    return builder().start();
  }

  /** Returns a builder with the default settings. Values are as in {@code redis.conf}. */
  public static Builder<LocalRedis> builder() {
    return new Builder<>("redis", it -> new LocalRedis(it, false));
  }

  /**
   * Returns a builder of a node of a cluster, which listens at a second port for the other nodes. A
   * replica may replace its master after any time. Otherwise no election would follow if a busy
   * machine delays elections for fifteen seconds.
   */
  static Builder<LocalRedis> clustered() {
    return builder()
        .secondPort(TO_BUS)
        .setting("cluster-enabled", "yes")
        .setting("cluster-config-file", "nodes.conf")
        .setting("cluster-require-full-coverage", "no")
        .setting("cluster-replica-validity-factor", "0");
  }

  /**
   * Returns a builder of a Sentinel, with a directory in memory. A Sentinel has one thread, which
   * writes each vote to the disk. If a busy disk delays it for two seconds, it suspects its clock
   * and does nothing for half a minute. Its data need not outlive the machine.
   */
  static Builder<LocalRedis> sentinel() {
    return new Builder<LocalRedis>("redis-sentinel", it -> new LocalRedis(it, true)).inMemory();
  }

  /** Returns the address in the format of Redis clients. It never changes. */
  public String uri() {
    return "redis://" + address();
  }

  /**
   * Sends one command, waits for its reply and returns the reply as text. For questions that a test
   * asks without its client. A list is returned as the texts of its elements, one a line.
   *
   * @throws LocalServerException if the reply is an error, or none arrives within half a minute
   */
  public String command(String... words) {
    try (RedisConnection wire = RedisConnection.to(port(), SILENCE_MILLIS)) {
      return wire.ask(List.of(words));
    } catch (RedisConnection.Refusal e) {
      throw new LocalServerException(this + " refuses " + words[0] + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw new LocalServerException(this + " does not answer " + words[0], e);
    }
  }

  boolean isInStep() {
    return command("INFO", "replication").contains("master_link_status:up");
  }

  @Override
  ProcessBuilder program() throws IOException {
    Path file = directory().path().resolve("redis.conf");
    Map<String, String> settings = withUserSettings(
        sentinel ? Map.of() : Resources.settings("io/hapax/servers/redis.properties"));
    settings.put("bind", Loopback.HOST);
    settings.put("port", Integer.toString(port()));
    settings.put("dir", '"' + Files.createDirectories(directory().data()).toString() + '"');
    settings.put("daemonize", "no");
    StringBuilder text = new StringBuilder();
    settings.forEach(
        (name, value) -> text.append(name).append(' ').append(value).append('\n'));
    Files.writeString(file, text + writtenSettings(file));
    List<String> command = new ArrayList<>(List.of(Binaries.redis().toString(), file.toString()));
    if (sentinel) {
      command.add("--sentinel");
    }
    return process(command);
  }

  private String writtenSettings(Path file) throws IOException {
    if (!sentinel || !Files.exists(file)) {
      return "";
    }
    return Files.readAllLines(file).stream()
        .filter(line -> line.startsWith("sentinel "))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /** Probes with a command. A server that requires a password counts as answering. */
  @Override
  void probe() throws IOException {
    try (RedisConnection wire = RedisConnection.to(port(), PROBE_MILLIS)) {
      wire.ask(List.of("PING"));
    } catch (RedisConnection.Refusal e) {
      if (!e.toString().contains("NOAUTH")) {
        throw e;
      }
    }
  }
}
