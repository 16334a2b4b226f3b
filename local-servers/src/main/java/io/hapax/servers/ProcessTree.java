package io.hapax.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A process with all of its descendants, which are paused, continued and killed together.
 *
 * <p>A process group does not suffice: each PostgreSQL backend creates its own session. The
 * {@link Watchdog} uses this class too, so it depends on the JDK only. Java cannot send some of the
 * signals. The shell's built-in {@code kill} sends them; every POSIX system has it, even without
 * the command of that name.
 */
final class ProcessTree {

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long POLL_MILLIS = 5;

  private ProcessTree() {}

  /**
   * Pauses the root first, so that it forks no more, then all descendants until there is no new
   * one.
   */
  static Set<ProcessHandle> pause(ProcessHandle root) {
    Set<ProcessHandle> frozen = new LinkedHashSet<>();
    Set<ProcessHandle> found = Set.of(root);
    while (!found.isEmpty()) {
      signal("STOP", found);
      frozen.addAll(found);
      found = new LinkedHashSet<>(root.descendants().toList());
      found.removeAll(frozen);
    }
    return frozen;
  }

  static void resume(ProcessHandle root) {
    List<ProcessHandle> rootLast = new ArrayList<>(root.descendants().toList());
    rootLast.add(root);
    signal("CONT", rootLast);
  }

  /**
   * Kills all processes with SIGKILL, the root last. If the caller is killed meanwhile, the root
   * remains and the rest can still be found below it. Returns when all are gone, also under
   * interruption.
   *
   * @throws IllegalStateException if a process still lives after ten seconds
   */
  static void kill(ProcessHandle root) {
    Set<ProcessHandle> all = new LinkedHashSet<>();
    try {
      all.addAll(pause(root));
    } finally {
      all.addAll(root.descendants().toList());
      all.remove(root);
      all.forEach(ProcessHandle::destroyForcibly);
      root.destroyForcibly();
      all.add(root);
    }
    awaitEnd(all);
  }

  /** Sends the signal to each process, and ignores processes that are gone. */
  static void signal(String name, Collection<ProcessHandle> processes) {
    List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", "kill -s \"$0\" \"$@\"", name));
    processes.forEach(process -> command.add(Long.toString(process.pid())));
    try {
      Process shell = new ProcessBuilder(command)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
      awaitEnd(Set.of(shell.toHandle()));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot send SIG" + name + ": the shell does not start", e);
    }
  }

  /** Returns whether the process has ended. A zombie has ended: it holds nothing any more. */
  static boolean isGone(ProcessHandle process) {
    return !process.isAlive() || isZombie(process.pid());
  }

  private static boolean isZombie(long pid) {
    Path stat = Path.of("/proc", Long.toString(pid), "stat");
    try {
      // "pid (name) state ...": the name may contain a parenthesis.
      String line = Files.readString(stat, StandardCharsets.ISO_8859_1);
      return line.startsWith("Z", line.lastIndexOf(')') + 2);
    } catch (IOException e) {
      return false; // gone meanwhile, or no /proc on this system: isAlive() decides
    }
  }

  private static void awaitEnd(Collection<ProcessHandle> processes) {
    long start = System.nanoTime();
    boolean interrupted = false;
    List<ProcessHandle> alive =
        processes.stream().filter(process -> !isGone(process)).toList();
    while (!alive.isEmpty()) {
      if (System.nanoTime() - start > PATIENCE_NANOS) {
        throw new IllegalStateException("still alive ten seconds after the signal: " + alive);
      }
      try {
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
      alive = alive.stream().filter(process -> !isGone(process)).toList();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
