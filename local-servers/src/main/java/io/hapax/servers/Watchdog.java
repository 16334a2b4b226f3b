package io.hapax.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The process that ends the servers of a JVM that has ended.
 *
 * <p>It reads orders, one a line, from its standard input: {@code guard PID}, {@code release PID},
 * {@code delete DIRECTORY}, {@code keep DIRECTORY}. Only the JVM holds the other end of that pipe,
 * so the end of input means that the JVM has ended. Then the watchdog kills all guarded processes,
 * also paused ones, deletes the directories, and ends.
 *
 * <p>It runs with its own class files only and depends on the JDK only.
 */
final class Watchdog {

  /**
   * The line that it prints when it has begun to read orders. The standard output is the other half
   * of the protocol with the {@link ProcessGuard}. Errors go to the standard error.
   */
  static final String READY = "ready";

  private final Set<ProcessHandle> guarded = new LinkedHashSet<>();
  private final Set<Path> doomed = new LinkedHashSet<>();

  private Watchdog() {}

  /** Guards until the end of input; takes no arguments. */
  public static void main(String[] args) {
    Watchdog watchdog = new Watchdog();
    System.out.println(READY);
    try {
      watchdog.obeyUntilEndOfInput();
    } finally {
      watchdog.cleanUp();
    }
  }

  private void obeyUntilEndOfInput() {
    try {
      BufferedReader orders =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String order = orders.readLine(); order != null; order = orders.readLine()) {
        int space = order.indexOf(' ');
        obey(order.substring(0, space), order.substring(space + 1));
      }
    } catch (IOException e) {
      complain(e); // a broken pipe means the same as its end
    }
  }

  private void obey(String verb, String object) {
    switch (verb) {
      case "guard" -> ProcessHandle.of(Long.parseLong(object)).ifPresent(guarded::add);
      case "release" -> guarded.removeIf(process -> process.pid() == Long.parseLong(object));
      case "delete" -> doomed.add(Path.of(object));
      case "keep" -> doomed.remove(Path.of(object));
      default -> throw new IllegalArgumentException("unknown command: " + verb);
    }
  }

  /** Kills each process and deletes each directory. One failure must not prevent the others. */
  private void cleanUp() {
    for (ProcessHandle process : guarded) {
      try {
        ProcessTree.kill(process);
      } catch (RuntimeException e) {
        complain(e);
      }
    }
    for (Path directory : doomed) {
      try {
        delete(directory);
      } catch (IOException e) {
        complain(e);
      }
    }
  }

  /** Deletes a tree. Symbolic links are deleted, not followed. A missing tree is no error. */
  static void delete(Path root) throws IOException {
    if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    List<Path> deepestFirst;
    try (Stream<Path> tree = Files.walk(root)) {
      deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : deepestFirst) {
      Files.deleteIfExists(path);
    }
  }

  private static void complain(Exception e) {
    System.err.println("hapax watchdog: " + e);
  }
}
