package io.hapax.servers;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
 * <p>{@link Builder#program} runs another version. The system property {@value #PROGRAM} does this
 * for the whole JVM: it names a {@code redis-server} of this machine.
 */
public final class LocalRedis extends LocalServer {

  /** The system property that names another {@code redis-server}. */
  public static final String PROGRAM = "hapax.servers.redis";

  private final RedisProgram program;

  private LocalRedis(RedisProgram program, ServerPlan plan) {
    super(program, plan);
    this.program = program;
  }

  /** Starts a server on an empty temporary directory. Closing the server deletes it. */
  public static LocalRedis start() {
    return builder().start();
  }

  /** Returns a builder with the defaults of {@link #start()}. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns the address in the format of Redis clients. It never changes. */
  public String uri() {
    return "redis://" + Loopback.HOST + ':' + port();
  }

  /**
   * Sends one command, waits for its reply and returns the reply as text. For questions that a test
   * asks without its client. A list is returned as the texts of its elements, one a line.
   *
   * @throws LocalServerException if the reply is an error, or none arrives within half a minute
   */
  public String command(String... words) {
    return program.command(List.of(words));
  }

  /** Settings of a server before its start. Values are as in {@code redis.conf}. */
  public static final class Builder extends LocalServer.Builder<LocalRedis, Builder> {

    private static final int BUS = 10_000;

    private @Nullable Path program;
    private boolean clustered;
    private RedisProgram.Role role = RedisProgram.Role.SERVER;

    private Builder() {
      super("redis");
    }

    /** Runs that {@code redis-server} instead of the artifact's. */
    public Builder program(Path redisServer) {
      this.program = redisServer;
      return this;
    }

    /**
     * Configures a node of a cluster, which listens at a second port for the other nodes. A replica
     * may replace its master after any time. Otherwise no election would follow if a busy machine
     * delays elections for fifteen seconds.
     */
    Builder clustered() {
      clustered = true;
      return setting("cluster-enabled", "yes")
          .setting("cluster-config-file", "nodes.conf")
          .setting("cluster-require-full-coverage", "no")
          .setting("cluster-replica-validity-factor", "0");
    }

    /**
     * Creates a directory in memory for a Sentinel. A Sentinel has one thread, which writes each
     * vote to the disk. If a busy disk delays it for two seconds, it suspects its clock and does
     * nothing for half a minute. Its data need not outlive the machine.
     */
    @Override
    ServerDirectory temporary(String name) {
      return role == RedisProgram.Role.SENTINEL
          ? ServerDirectory.inMemory(name)
          : super.temporary(name);
    }

    /**
     * Configures a Sentinel, which watches servers and has no data except for its own
     * configuration.
     */
    Builder sentinel() {
      role = RedisProgram.Role.SENTINEL;
      return this;
    }

    @Override
    int port() {
      return clustered ? Loopback.freePort(BUS) : super.port();
    }

    @Override
    Builder self() {
      return this;
    }

    @Override
    LocalRedis create(ServerPlan plan) {
      Path redisServer = program == null ? RedisBinary.usual() : program;
      return new LocalRedis(new RedisProgram(plan, redisServer, role), plan);
    }
  }
}
