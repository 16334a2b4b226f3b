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
 * A process and all that it forked, as one thing to stop, continue and kill.
 *
 * <p>A process group would not do: each PostgreSQL backend makes a session of its own. Used by the
 * {@link Watchdog} too, so it knows nothing but the JDK. The signals that Java cannot send go
 * through the shell's own {@code kill}, which every POSIX system has, even where the command of
 * that name is not installed.
 */
final class ProcessTree {

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long POLL_MILLIS = 5;

  private ProcessTree() {}

  /**
   * Stops the root first, so that it forks no more, then whatever is found below it, until nothing
   * new is found.
   */
  static Set<ProcessHandle> freeze(ProcessHandle root) {
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

  /** Continues everything, the root last. */
  static void thaw(ProcessHandle root) {
    List<ProcessHandle> rootLast = new ArrayList<>(root.descendants().toList());
    rootLast.add(root);
    signal("CONT", rootLast);
  }

  /**
   * Kills everything with SIGKILL, the root last: whoever is killed half-way through this leaves a
   * root below which the rest is still found. Returns when all are gone, also under interruption.
   *
   * @throws IllegalStateException if something still lives after ten seconds
   */
  static void kill(ProcessHandle root) {
    Set<ProcessHandle> all = new LinkedHashSet<>();
    try {
      all.addAll(freeze(root));
    } finally {
      all.addAll(root.descendants().toList());
      all.remove(root);
      all.forEach(ProcessHandle::destroyForcibly);
      root.destroyForcibly();
      all.add(root);
    }
    awaitEnd(all);
  }

  /** Sends the signal of that name to each; one that is gone already is passed over. */
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

  /**
   * Whether the process has ended. One that nobody has collected yet (a zombie) has: it holds
   * nothing any more.
   */
  static boolean isGone(ProcessHandle process) {
    return !process.isAlive() || isZombie(process.pid());
  }

  private static boolean isZombie(long pid) {
    Path stat = Path.of("/proc", Long.toString(pid), "stat");
    try {
      // "pid (name) state ...": the name may hold anything, also a parenthesis.
      String line = Files.readString(stat, StandardCharsets.ISO_8859_1);
      return line.startsWith("Z", line.lastIndexOf(')') + 2);
    } catch (IOException e) {
      return false; // gone meanwhile, or no /proc here: isAlive() will tell
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
