package io.hapax.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts processes that end no later than this JVM, in whatever way it ends: return, {@code exit},
 * {@code halt}, crash, SIGKILL. Shutdown hooks run in the first two only, so each JVM has a
 * {@link Watchdog} process.
 *
 * <p>No moment is unguarded. A process begins as a shell that waits for a line on its standard
 * input. The line is sent after the watchdog has received the process id. If the JVM ends before
 * that, the pipe closes and the shell ends. If the watchdog itself is killed, this JVM kills the
 * guarded processes. A server may remain only if both are killed in the same instant.
 *
 * <p>Where the system has {@code setsid}, the processes run in sessions of their own. An interrupt
 * from the terminal reaches this JVM alone, which can then end normally while its servers still
 * answer.
 */
final class ProcessGuard {

  private static final Logger LOG = LoggerFactory.getLogger(ProcessGuard.class);

  private static final String IN_OWN_SESSION =
      "command -v setsid >/dev/null 2>&1 && exec setsid \"$@\"; exec \"$@\"";
  static final String ON_GO =
      "read -r word && [ \"$word\" = go ] || exit 125; exec </dev/null; " + IN_OWN_SESSION;
  private static final String IGNORING_SIGNALS = "trap '' HUP INT TERM; " + IN_OWN_SESSION;

  private static @Nullable ProcessGuard current;

  private final Process watchdog;
  private final Set<Process> guarded = ConcurrentHashMap.newKeySet();

  private ProcessGuard(Process watchdog) {
    this.watchdog = watchdog;
    var unused = watchdog.onExit().thenRun(this::killAll);
  }

  /**
   * Starts the command of the plan as a guarded process. Its standard input is empty. Its output
   * goes to the destination of the plan, which must not be a pipe.
   */
  static Process start(ProcessBuilder plan) {
    try {
      return ofThisJvm().launch(plan);
    } catch (IOException e) {
      throw new LocalServerException("cannot start " + plan.command(), e);
    }
  }

  /** Deletes the directory when this JVM has ended, unless {@link #keep} is called before. */
  static void deleteAtEnd(Path directory) {
    try {
      ofThisJvm().order("delete", directory.toString());
    } catch (IOException e) {
      throw new LocalServerException("cannot guard " + directory, e);
    }
  }

  static void keep(Path directory) {
    try {
      ofThisJvm().order("keep", directory.toString());
    } catch (IOException e) {
      LOG.debug("the watchdog has ended and cannot delete {}", directory, e);
    }
  }

  private static synchronized ProcessGuard ofThisJvm() throws IOException {
    ProcessGuard guard = current;
    if (guard == null || !guard.watchdog.isAlive()) {
      guard = new ProcessGuard(startWatchdog());
      current = guard;
    }
    return guard;
  }

  private static Process startWatchdog() throws IOException {
    if (System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows")) {
      throw new LocalServerException(
          "local servers need POSIX signals: they run on Linux and macOS, not on Windows");
    }
    List<String> command =
        new ArrayList<>(List.of("/bin/sh", "-c", IGNORING_SIGNALS, "hapax-watchdog"));
    command.addAll(
        ChildJvm.command("-Xmx16m", "-Xss512k", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", ChildJvm.ownClasses().toString(), Watchdog.class.getName()));
    ProcessBuilder plan = new ProcessBuilder(command).redirectErrorStream(true);
    ChildJvm.clean(plan.environment());
    Process process = plan.start();
    StringBuilder said = new StringBuilder();
    BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
    for (String line = output.readLine(); !Watchdog.READY.equals(line); line = output.readLine()) {
      if (line == null) {
        throw new IOException("the watchdog does not start: " + said);
      }
      said.append(line).append('\n');
    }
    return process;
  }

  private Process launch(ProcessBuilder plan) throws IOException {
    List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", ON_GO, "hapax-server"));
    command.addAll(plan.command());
    Process process =
        plan.command(command).redirectInput(ProcessBuilder.Redirect.PIPE).start();
    guarded.add(process);
    try (OutputStream input = process.getOutputStream()) {
      order("guard", Long.toString(process.pid()));
      input.write("go\n".getBytes(StandardCharsets.UTF_8));
    } finally { // not earlier: a process that ends at once could be released first and then guarded
      // for ever
      var unused = process.onExit().thenAccept(this::release);
    }
    return process;
  }

  /**
   * Sends an order. The watchdog reads the content of the pipe even if this JVM is killed right
   * afterwards.
   */
  private synchronized void order(String verb, String object) throws IOException {
    OutputStream orders = watchdog.getOutputStream();
    orders.write((verb + ' ' + object + '\n').getBytes(StandardCharsets.UTF_8));
    orders.flush();
  }

  /** Ends the guard, so that a later process with the same id is not killed. */
  private void release(Process process) {
    guarded.remove(process);
    try {
      order("release", Long.toString(process.pid()));
    } catch (IOException e) {
      LOG.debug("the watchdog has ended before process {}", process.pid(), e);
    }
  }

  private void killAll() {
    if (!guarded.isEmpty()) {
      LOG.error("the watchdog (pid {}) was killed: killing the servers it guarded", watchdog.pid());
    }
    for (Process process : guarded) {
      try {
        ProcessTree.kill(process.toHandle());
      } catch (RuntimeException e) {
        LOG.error("process {} may be left running", process.pid(), e);
      }
    }
  }
}
