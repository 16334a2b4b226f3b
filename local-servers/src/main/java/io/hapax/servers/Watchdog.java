package io.hapax.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The process that ends the servers of a JVM that is gone.
 *
 * <p>It takes orders, one a line, from its standard input: {@code guard PID}, {@code release PID},
 * {@code delete DIRECTORY}, {@code keep DIRECTORY}. The other end of that pipe is held by the JVM
 * alone, so the end of input means that the JVM has ended, in whatever way. Then it kills what it
 * guards, stopped processes too, deletes the directories, and ends.
 *
 * <p>It runs with its own class files only and knows nothing but the JDK.
 */
final class Watchdog {

  /**
   * The one word that it says on its standard output, when it has begun to take orders: that stream
   * is the other half of the protocol and goes to the {@link Guard}, not to a log. Complaints go to
   * the standard error.
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
      default -> throw new IllegalArgumentException("no such order: " + verb);
    }
  }

  /** One that cannot be ended must not save the others. */
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
        FileTree.delete(directory);
      } catch (IOException e) {
        complain(e);
      }
    }
  }

  private static void complain(Exception e) {
    System.err.println("hapax watchdog: " + e);
  }
}
