package io.hapax.servers;

/**
 * A real server that runs as a child process, and what may be done to it.
 *
 * <p>A started server answers on the loopback interface, at a port that it keeps for its whole
 * life. All methods may be called from any thread; one call at a time takes effect. A method that
 * cannot do what it promises throws {@link LocalServerException}; one that asks for a running
 * server throws {@link IllegalStateException} when there is none.
 */
public interface LocalServer extends AutoCloseable {

  /**
   * The process id of the running server, another one after each {@link #restart()}.
   *
   * @throws IllegalStateException if the server does not run
   */
  long pid();

  /**
   * Stops the server in mid-step with SIGSTOP, all its processes: its sockets stay open and nobody
   * answers. The kernel still accepts new connections for it. Pausing a paused server changes
   * nothing.
   *
   * @throws IllegalStateException if the server does not run
   */
  void pause();

  /**
   * Lets a paused server go on with SIGCONT. It answers what was sent to it meanwhile, unless the
   * sender gave up.
   *
   * @throws IllegalStateException if the server does not run
   */
  void resume();

  /**
   * Kills the server with SIGKILL, all its processes, paused or not, and returns when they are
   * gone. Its data stay as the crash left them. Killing a dead server changes nothing.
   */
  void kill();

  /**
   * Starts the server again, on the same data and at the same port, and returns when it answers. A
   * server that still runs is shut down in good order first.
   *
   * @throws IllegalStateException after {@link #close()}
   */
  void restart();

  /**
   * Ends the server, however it is, and deletes its data unless a directory was given for them.
   * Closing twice is fine.
   */
  @Override
  void close();
}
