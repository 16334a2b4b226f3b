package io.hapax.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Finds processes for the tests. */
final class Processes {

  private Processes() {}

  /** Returns the watchdog of this JVM. */
  static ProcessHandle watchdog() {
    return ProcessHandle.current()
        .children()
        .filter(child -> child.info().commandLine().orElse("").contains(Watchdog.class.getName()))
        .findFirst()
        .orElseThrow();
  }

  static boolean isGone(long pid) {
    return ProcessHandle.of(pid).map(ProcessTree::isGone).orElse(true);
  }

  /** Returns the process and all of its descendants. */
  static List<ProcessHandle> tree(long pid) {
    return ProcessHandle.of(pid).stream()
        .flatMap(root -> Stream.concat(Stream.of(root), root.descendants()))
        .toList();
  }

  static List<Path> files(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
