package io.hapax.servers;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A real server in a child process. Its operations are the same for every kind.
 *
 * <p>A started server answers on the loopback interface, at a port that it keeps for its whole
 * life. It never outlives the JVM that started it. All methods may be called from any thread; calls
 * are serialised. A method that fails throws {@link LocalServerException}. A method that needs a
 * running server throws {@link IllegalStateException} if there is none.
 *
 * <p>A kind of server is a subclass with the addresses for clients, the process to start and a
 * probe.
 */
public abstract class LocalServer implements AutoCloseable {

  private static final long POLL_MILLIS = 20;
  private static final long END_MILLIS = 10_000;
  private static final long SETUP_MILLIS = 120_000;

  /** Long, so that a busy machine fails no start. */
  private static final Duration START_TIMEOUT = Duration.ofMinutes(3);

  private final String kind;
  private final ServerDirectory directory;
  private final int port;
  private final Map<String, String> settings;
  private final List<String> jvmOptions;
  private @Nullable Process process;
  private boolean closed;

  LocalServer(String kind, Builder<?> builder) {
    this.kind = kind;
    this.directory = ServerDirectory.temporary(builder.name, builder.inMemory);
    this.port = Loopback.freePort(builder.toSecondPort);
    this.settings = Map.copyOf(builder.settings);
    this.jvmOptions = List.copyOf(builder.jvmOptions);
  }

  /**
   * Prepares data and settings, and returns the process to start. Called at each start; the data of
   * an earlier start exist already.
   */
  abstract ProcessBuilder program() throws IOException;

  /**
   * Probes the server once, within a few seconds.
   *
   * @throws Exception if it did not answer
   */
  abstract void probe() throws Exception;

  /**
   * Returns the name of the signal that ends the server: normally, or as fast as the resources
   * outside of its directory permit. A server without such resources may be killed if its data are
   * not kept.
   */
  String endSignal(boolean dataAreKept) {
    return dataAreKept ? "TERM" : "KILL";
  }

  /**
   * Releases the resources that a killed server left outside of its directory. Called once, after
   * the final end of the server. Most kinds leave none.
   */
  void forget() {}

  /** Returns the port on {@code 127.0.0.1}. It never changes. */
  public final int port() {
    return port;
  }

  final String address() {
    return Loopback.HOST + ':' + port;
  }

  final ServerDirectory directory() {
    return directory;
  }

  final Map<String, String> withUserSettings(Map<String, String> defaults) {
    Map<String, String> all = new TreeMap<>(defaults);
    all.putAll(settings);
    return all;
  }

  /** Returns the beginning of the command of a small JVM that starts quickly. */
  final List<String> jvmCommand(String maxHeap, String... options) {
    List<String> command = ChildJvm.command(
        "-Xms64m",
        "-Xmx" + maxHeap,
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Djava.awt.headless=true");
    command.addAll(List.of(options));
    command.addAll(jvmOptions);
    return command;
  }

  final Path write(String name, Map<String, String> settings) throws IOException {
    Path file = directory.path().resolve(name);
    Properties properties = new Properties();
    properties.putAll(settings);
    try (Writer writer = Files.newBufferedWriter(file)) {
      properties.store(writer, null);
    }
    return file;
  }

  /** Creates a process in the server's directory that writes its output to the server's log. */
  final ProcessBuilder process(List<String> command) {
    ProcessBuilder created = new ProcessBuilder(command)
        .directory(directory.path().toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.log().toFile()));
    ChildJvm.clean(created.environment());
    return created;
  }

  /** Runs a process that creates the server's data, for two minutes at most. */
  final void setUp(String command, ProcessBuilder builder) {
    Process setup = ProcessGuard.start(builder);
    try {
      hasEnded(setup, SETUP_MILLIS);
    } finally {
      if (setup.isAlive()) {
        ProcessTree.kill(setup.toHandle());
      }
    }
    if (setup.exitValue() != 0) {
      throw new LocalServerException(
          command + " ended with status " + setup.exitValue() + "; " + directory.logTail());
    }
  }

  /** Returns the process id of the running server. Each {@link #restart()} changes it. */
  public final synchronized long pid() {
    return running().pid();
  }

  /**
   * Stops all processes of the server with SIGSTOP. Its sockets stay open, and requests get no
   * answer. The kernel still accepts new connections for it. Pausing a paused server changes
   * nothing.
   */
  public final synchronized void pause() {
    ProcessTree.pause(running().toHandle());
  }

  /**
   * Continues a paused server with SIGCONT. It answers the requests that arrived meanwhile, if
   * their connections are still open.
   */
  public final synchronized void resume() {
    ProcessTree.resume(running().toHandle());
  }

  /**
   * Kills all processes of the server with SIGKILL, paused or not, and returns when they are gone.
   * Its data stay as the crash left them. Killing a dead server changes nothing.
   */
  public final synchronized void kill() {
    if (process != null) {
      ProcessTree.kill(process.toHandle());
      hasEnded(process, END_MILLIS); // an uncollected zombie counts as alive
    }
  }

  /**
   * Starts the server again on the same data and at the same port, and returns when it answers. A
   * running server is shut down normally first.
   *
   * @throws IllegalStateException after {@link #close()}
   */
  public final synchronized void restart() {
    if (closed) {
      throw new IllegalStateException(this + " is closed");
    }
    end(true);
    try {
      process = ProcessGuard.start(program());
    } catch (IOException e) {
      throw new LocalServerException("cannot prepare " + directory.path(), e);
    }
    awaitAnswer(process);
  }

  /** Ends the server in any state, and deletes its data. Closing it again changes nothing. */
  @Override
  public final synchronized void close() {
    if (!closed) {
      closed = true;
      try {
        end(false);
        forget();
      } finally {
        directory.discard();
      }
    }
  }

  @Override
  public final String toString() {
    return kind + " at " + address();
  }

  private Process running() {
    Process current = process;
    if (current == null || !current.isAlive()) {
      throw new IllegalStateException(this + " does not run");
    }
    return current;
  }

  /**
   * Ends the server. A paused process receives the signal and acts on it when it is continued. A
   * process that does not end is killed.
   */
  private void end(boolean dataAreKept) {
    Process current = process;
    if (current == null || !current.isAlive()) {
      return;
    }
    try {
      ProcessTree.signal(endSignal(dataAreKept), List.of(current.toHandle()));
      ProcessTree.resume(current.toHandle());
      hasEnded(current, END_MILLIS);
    } finally {
      if (current.isAlive()) {
        ProcessTree.kill(current.toHandle());
      }
    }
  }

  private void awaitAnswer(Process started) {
    Deadline deadline = Deadline.in(START_TIMEOUT);
    for (Exception refusal = refusal(); refusal != null; refusal = refusal()) {
      if (hasEnded(started, POLL_MILLIS)) {
        throw new LocalServerException(this + " ended with status " + started.exitValue()
            + " before it answered; " + directory.logTail());
      }
      if (deadline.hasPassed()) {
        throw new LocalServerException(
            this + " did not answer within " + START_TIMEOUT + "; " + directory.logTail(), refusal);
      }
    }
  }

  /** Returns why a probe got no answer; null if it got one. */
  private @Nullable Exception refusal() {
    try {
      probe();
      return null;
    } catch (InterruptedException e) {
      throw interrupted(e);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      return e;
    }
  }

  private boolean hasEnded(Process current, long withinMillis) {
    try {
      return current.waitFor(withinMillis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private LocalServerException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new LocalServerException("interrupted while waiting for " + this, e);
  }

  /** Settings of a server before its start. */
  public static final class Builder<S extends LocalServer> {

    private final String name;
    private final Function<Builder<S>, S> constructor;
    private final Map<String, String> settings = new TreeMap<>();
    private final List<String> jvmOptions = new ArrayList<>();
    private int toSecondPort;
    private boolean inMemory;

    Builder(String name, Function<Builder<S>, S> constructor) {
      this.name = name;
      this.constructor = constructor;
    }

    /** Sets or replaces one of the server's own settings under the server's name of it. */
    public Builder<S> setting(String name, String value) {
      settings.put(name, value);
      return this;
    }

    /**
     * Adds an option of the server's JVM, if it is one. It overrides the default, which suits a
     * fast start of a small server. For throughput, use {@code -Xmx1g} and
     * {@code -XX:TieredStopAtLevel=4}.
     */
    public Builder<S> jvmOption(String option) {
      jvmOptions.add(option);
      return this;
    }

    /** Reserves a second port that is higher by this number. */
    Builder<S> secondPort(int higher) {
      toSecondPort = higher;
      return this;
    }

    /** Puts the server's directory in a file system without a disk, where the system has one. */
    Builder<S> inMemory() {
      inMemory = true;
      return this;
    }

    /**
     * Starts the server and returns when it answers. Its data are in an empty temporary directory,
     * which {@link LocalServer#close()} deletes.
     *
     * @throws LocalServerException if it ends or does not answer; the message contains the end of
     *     its log, and nothing remains of it
     */
    public S start() {
      S server = constructor.apply(this);
      try {
        server.restart();
        return server;
      } catch (RuntimeException | Error e) {
        try {
          server.close();
        } catch (RuntimeException suppressed) {
          e.addSuppressed(suppressed);
        }
        throw e;
      }
    }
  }
}
