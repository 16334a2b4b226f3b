package io.hapax.servers;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A real server that runs as a child process, and what may be done to it; the same for every kind.
 *
 * <p>A started server answers on the loopback interface, at a port that it keeps for its whole
 * life, and never outlives the JVM that started it. All methods may be called from any thread; one
 * call at a time takes effect. A method that cannot do what it promises throws
 * {@link LocalServerException}; one that asks for a running server throws
 * {@link IllegalStateException} when there is none.
 *
 * <p>A kind of server is a subclass, which adds how a client reaches it, a {@link Program}, which
 * says how the process is started and asked, and a {@link Builder}, which makes one from the other.
 */
public abstract class LocalServer implements AutoCloseable {

  private final Program program;
  private final ServerPlan plan;
  private final Lifecycle lifecycle;

  LocalServer(Program program, ServerPlan plan) {
    this.program = program;
    this.plan = plan;
    this.lifecycle = new Lifecycle(program, plan.directory(), plan.startTimeout());
  }

  /** The port on {@code 127.0.0.1} where it answers, the same as long as this object lives. */
  public final int port() {
    return plan.port();
  }

  /**
   * The process id of the running server, another one after each {@link #restart()}.
   *
   * @throws IllegalStateException if the server does not run
   */
  public final long pid() {
    return lifecycle.pid();
  }

  /**
   * Stops the server in mid-step with SIGSTOP, all its processes: its sockets stay open and nobody
   * answers. The kernel still accepts new connections for it. Pausing a paused server changes
   * nothing.
   *
   * @throws IllegalStateException if the server does not run
   */
  public final void pause() {
    lifecycle.pause();
  }

  /**
   * Lets a paused server go on with SIGCONT. It answers what was sent to it meanwhile, unless the
   * sender gave up.
   *
   * @throws IllegalStateException if the server does not run
   */
  public final void resume() {
    lifecycle.resume();
  }

  /**
   * Kills the server with SIGKILL, all its processes, paused or not, and returns when they are
   * gone. Its data stay as the crash left them. Killing a dead server changes nothing.
   */
  public final void kill() {
    lifecycle.kill();
  }

  /**
   * Starts the server again, on the same data and at the same port, and returns when it answers. A
   * server that still runs is shut down in good order first.
   *
   * @throws IllegalStateException after {@link #close()}
   */
  public final void restart() {
    lifecycle.restart();
  }

  /**
   * Ends the server, however it is, and deletes its data unless a directory was given for them.
   * Closing twice is fine.
   */
  @Override
  public final void close() {
    lifecycle.close();
  }

  /** What it is and where it answers, for a message. */
  @Override
  public final String toString() {
    return program.name();
  }

  /**
   * Settings of a server that is not started yet.
   *
   * @param <S> what it starts
   * @param <B> the builder itself, as its own methods return it
   */
  public abstract static class Builder<S extends LocalServer, B extends Builder<S, B>> {

    private final String kind;
    private final Map<String, String> settings = new TreeMap<>();
    private @Nullable Path directory;
    private Duration startTimeout = Duration.ofSeconds(60);

    /** The kind is a word for the name of a temporary directory. */
    Builder(String kind) {
      this.kind = kind;
    }

    abstract B self();

    /** A server of that plan, not started. */
    abstract S create(ServerPlan plan);

    /** The port of the server; one that needs more ports than one says so here. */
    int port() {
      return Loopback.freePort();
    }

    /** The empty directory of a server that was given none. */
    ServerDirectory temporary(String name) {
      return ServerDirectory.temporary(name);
    }

    /**
     * Where data, settings and log lie. It is made if it is missing, what is in it is used, and it
     * is kept when the server is closed; the default is an empty temporary one.
     */
    public final B directory(Path path) {
      this.directory = path;
      return self();
    }

    /** Sets or replaces one of the server's own settings, under the name the server knows. */
    public final B setting(String name, String value) {
      settings.put(name, value);
      return self();
    }

    /** How long the server may take until it answers, at each start. The default is one minute. */
    public final B startTimeout(Duration timeout) {
      this.startTimeout = timeout;
      return self();
    }

    /**
     * Starts the server and returns when it answers.
     *
     * @throws LocalServerException if it ends or stays silent; the message holds the end of its
     *     log, and nothing is left running
     */
    public final S start() {
      Path given = directory;
      ServerDirectory place = given == null ? temporary(kind) : ServerDirectory.kept(given);
      S server = create(new ServerPlan(place, port(), settings, startTimeout));
      ((LocalServer) server).lifecycle.start();
      return server;
    }
  }
}
