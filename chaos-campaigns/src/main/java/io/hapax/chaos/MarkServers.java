package io.hapax.chaos;

import io.hapax.servers.LocalRedis;
import io.hapax.servers.LocalRedisCluster;
import io.hapax.servers.LocalServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The Redis servers of a run, as the parent process sees them; none if the marks are in the shop's
 * database.
 */
final class MarkServers implements AutoCloseable {

  private static final int MASTERS = 3;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final long TICK_MILLIS = 10;

  private final List<LocalRedis> servers;

  private MarkServers(List<LocalRedis> servers) {
    this.servers = servers;
  }

  /** Starts the servers that the store needs beside the shop's database. */
  static MarkServers start(StoreKind kind) {
    return switch (kind) {
      case H2, H2_SERVER, POSTGRES, MARIADB -> new MarkServers(List.of());
      case REDIS -> new MarkServers(List.of(LocalRedis.start()));
      case REDIS_CLUSTER -> new MarkServers(LocalRedisCluster.start(MASTERS).nodes());
    };
  }

  /** Returns the servers; none if the marks are in the shop's database. */
  List<LocalServer> servers() {
    return List.copyOf(servers);
  }

  /** Returns the addresses of the marks. */
  Marks marks() {
    return new Marks(servers.stream().map(LocalRedis::uri).toList());
  }

  /**
   * Returns the settings that make marks durable, as the first server reports them; the others have
   * the same. Empty if the marks are in the shop's database.
   */
  Optional<String> durability() {
    return servers.stream()
        .findFirst()
        .map(server ->
            (servers.size() == 1 ? "Redis " : "a cluster of " + MASTERS + " Redis servers ")
                + version(server) + ", appendonly=" + setting(server, "appendonly")
                + ", appendfsync="
                + setting(server, "appendfsync"));
  }

  private static String version(LocalRedis server) {
    return server
        .command("INFO", "server")
        .lines()
        .filter(line -> line.startsWith("redis_version:"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse("of unknown version");
  }

  private static String setting(LocalRedis server, String name) {
    return server.command("CONFIG", "GET", name).lines().skip(1).findFirst().orElse("unknown");
  }

  /**
   * Waits until no client is connected. A server continues to execute the requests of a killed
   * process, and keeps the connection until then.
   *
   * @throws IllegalStateException if one is still connected after half a minute
   */
  void awaitDisconnected() throws InterruptedException {
    long begin = System.nanoTime();
    for (LocalRedis server : servers) {
      while (clients(server) > 1) {
        if (System.nanoTime() - begin > TIMEOUT.toNanos()) {
          throw new IllegalStateException("a killed consumer's connection to " + server
              + " is still open after " + TIMEOUT.toSeconds() + " s");
        }
        TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
      }
    }
  }

  /**
   * Waits until no client with this name is connected.
   *
   * @throws IllegalStateException if one is still connected after half a minute
   */
  void awaitDisconnected(String client) throws InterruptedException {
    long begin = System.nanoTime();
    for (LocalRedis server : servers) {
      while (isConnected(server, client)) {
        if (System.nanoTime() - begin > TIMEOUT.toNanos()) {
          throw new IllegalStateException("a connection of " + client + " to " + server
              + " is still open after " + TIMEOUT.toSeconds() + " s");
        }
        TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
      }
    }
  }

  /** Returns whether a client with this name is connected to any server. */
  boolean isConnected(String client) {
    return servers.stream().anyMatch(server -> isConnected(server, client));
  }

  private static boolean isConnected(LocalRedis server, String client) {
    return server.command("CLIENT", "LIST").contains(" name=" + client + ' ');
  }

  /** Counts the clients, with the one that asks. */
  private static long clients(LocalRedis server) {
    return server
        .command("CLIENT", "LIST", "TYPE", "normal")
        .lines()
        .filter(line -> line.startsWith("id="))
        .count();
  }

  @Override
  public void close() {
    servers.forEach(LocalRedis::close);
  }
}
