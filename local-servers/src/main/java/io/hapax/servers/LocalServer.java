package io.hapax.servers;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A real server in a child process. Its operations are the same for every kind.
 *
 * <p>A started server answers on the loopback interface, at a port that it keeps for its whole
 * life. It never outlives the JVM that started it. All methods may be called from any thread; calls
 * are serialised. A method that fails throws {@link LocalServerException}. A method that needs a
 * running server throws {@link IllegalStateException} if there is none.
 *
 * <p>A kind of server consists of a subclass with the addresses for clients, a {@link Program} that
 * starts and probes the process, and a {@link Builder} that connects both.
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

  /** Returns the port on {@code 127.0.0.1}. It never changes. */
  public final int port() {
    return plan.port();
  }

  /**
   * Returns the process id of the running server. Each {@link #restart()} changes it.
   *
   * @throws IllegalStateException if the server does not run
   */
  public final long pid() {
    return lifecycle.pid();
  }

  /**
   * Stops all processes of the server with SIGSTOP. Its sockets stay open, and requests get no
   * answer. The kernel still accepts new connections for it. Pausing a paused server changes
   * nothing.
   *
   * @throws IllegalStateException if the server does not run
   */
  public final void pause() {
    lifecycle.pause();
  }

  /**
   * Continues a paused server with SIGCONT. It answers the requests that arrived meanwhile, if
   * their connections are still open.
   *
   * @throws IllegalStateException if the server does not run
   */
  public final void resume() {
    lifecycle.resume();
  }

  /**
   * Kills all processes of the server with SIGKILL, paused or not, and returns when they are gone.
   * Its data stay as the crash left them. Killing a dead server changes nothing.
   */
  public final void kill() {
    lifecycle.kill();
  }

  /**
   * Starts the server again on the same data and at the same port, and returns when it answers. A
   * running server is shut down normally first.
   *
   * @throws IllegalStateException after {@link #close()}
   */
  public final void restart() {
    lifecycle.restart();
  }

  /**
   * Ends the server in any state, and deletes its data unless they are in a given directory.
   * Closing it again changes nothing.
   */
  @Override
  public final void close() {
    lifecycle.close();
  }

  /** Returns kind and address, for a message. */
  @Override
  public final String toString() {
    return program.name();
  }

  /**
   * Settings of a server before its start.
   *
   * @param <S> the kind of server
   * @param <B> the builder's own type, which its methods return
   */
  public abstract static class Builder<S extends LocalServer, B extends Builder<S, B>> {

    private final String kind;
    private final Map<String, String> settings = new TreeMap<>();
    private @Nullable Path directory;
    private Duration startTimeout = Duration.ofSeconds(60);

    /** Creates a builder. The kind becomes a part of the temporary directory's name. */
    Builder(String kind) {
      this.kind = kind;
    }

    abstract B self();

    /** Creates a server with that plan, without starting it. */
    abstract S create(ServerPlan plan);

    /** Chooses the port. A server with more ports overrides this method. */
    int port() {
      return Loopback.freePort();
    }

    /** Creates an empty directory for a server without a given directory. */
    ServerDirectory temporary(String name) {
      return ServerDirectory.temporary(name);
    }

    /**
     * Sets the directory for data, settings and log. It is created if it is missing, its content is
     * used, and it is kept when the server is closed. The default is an empty temporary directory.
     */
    public final B directory(Path path) {
      this.directory = path;
      return self();
    }

    /** Sets or replaces one of the server's own settings under the server's name of it. */
    public final B setting(String name, String value) {
      settings.put(name, value);
      return self();
    }

    /** Sets the longest time until the server answers, at each start. The default is one minute. */
    public final B startTimeout(Duration timeout) {
      this.startTimeout = timeout;
      return self();
    }

    /**
     * Starts the server and returns when it answers.
     *
     * @throws LocalServerException if it ends or does not answer; the message contains the end of
     *     its log, and nothing remains running
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
