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
 * <p>It is durable as far as Redis is by itself: it has an append-only file that reaches the disk
 * each second. A crash of the machine loses little more than a second; a kill of the process loses
 * nothing while the disk keeps up, and at most two seconds while Redis waits for it to. It asks for
 * no password.
 *
 * <p>Another version is run with {@link Builder#program}, or for the whole JVM with the system
 * property {@value #PROGRAM}, which names a {@code redis-server} of this machine.
 */
public final class LocalRedis extends LocalServer {

  /** The system property that names another {@code redis-server}. */
  public static final String PROGRAM = "hapax.servers.redis";

  private final RedisProgram program;

  private LocalRedis(RedisProgram program, ServerPlan plan) {
    super(program, plan);
    this.program = program;
  }

  /** Starts a server on an empty temporary directory, which is deleted with it. */
  public static LocalRedis start() {
    return builder().start();
  }

  /** What {@link #start()} would do, to be changed before {@link Builder#start()}. */
  public static Builder builder() {
    return new Builder();
  }

  /** Where it answers, as Redis clients write it, the same as long as this object lives. */
  public String uri() {
    return "redis://" + Loopback.HOST + ':' + port();
  }

  /**
   * Sends one command, waits for its reply and gives it as text: what a test asks of the server
   * beside its client. A list comes as its elements' texts, one a line.
   *
   * @throws LocalServerException if the reply is an error, or none comes in half a minute
   */
  public String command(String... words) {
    return program.command(List.of(words));
  }

  /** Settings of a server that is not started yet. Values are as in {@code redis.conf}. */
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
     * A node of a cluster, which listens at a second port for the other nodes. However long its
     * master is gone it may take the place: else elections that a busy machine spoils for fifteen
     * seconds are the last.
     */
    Builder clustered() {
      clustered = true;
      return setting("cluster-enabled", "yes")
          .setting("cluster-config-file", "nodes.conf")
          .setting("cluster-require-full-coverage", "no")
          .setting("cluster-replica-validity-factor", "0");
    }

    /**
     * What a Sentinel has to remember, each vote among it, its only thread forces to the disk. Two
     * seconds behind a disk that others keep busy look to it like a clock gone wrong, and it does
     * nothing for half a minute. Nothing of it has to outlive the machine.
     */
    @Override
    ServerDirectory temporary(String name) {
      return role == RedisProgram.Role.SENTINEL
          ? ServerDirectory.inMemory(name)
          : super.temporary(name);
    }

    /** A Sentinel, which watches servers, keeps no data, and remembers what it was told. */
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
