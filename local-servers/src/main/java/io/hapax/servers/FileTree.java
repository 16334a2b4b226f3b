package io.hapax.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A directory with everything in it. Used by the {@link Watchdog} too, so it knows nothing but the
 * JDK.
 */
final class FileTree {

  private FileTree() {}

  /**
   * Deletes the tree; symbolic links are deleted, not followed. A tree that is not there is fine.
   */
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
}
