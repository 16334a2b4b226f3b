package io.hapax.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The directory with the data and the log of one server.
 *
 * @param path an existing directory
 * @param temporary whether it is deleted with the server
 */
record ServerDirectory(Path path, boolean temporary) {

  private static final Path MEMORY = Path.of("/dev/shm");
  private static final int TAIL_LINES = 40;

  static ServerDirectory temporary(String server) {
    return temporary(server, Path.of(System.getProperty("java.io.tmpdir")));
  }

  /** Creates a directory in a file system without a disk, where the system has one. */
  static ServerDirectory inMemory(String server) {
    return Files.isDirectory(MEMORY) && Files.isWritable(MEMORY)
        ? temporary(server, MEMORY)
        : temporary(server);
  }

  private static ServerDirectory temporary(String server, Path parent) {
    try {
      Path path = Files.createTempDirectory(parent, "hapax-" + server + '-');
      Guard.deleteAtEnd(path);
      return new ServerDirectory(path, true);
    } catch (IOException e) {
      throw new UncheckedIOException("no temporary directory for " + server, e);
    }
  }

  static ServerDirectory kept(Path path) {
    try {
      return new ServerDirectory(Files.createDirectories(path).toRealPath(), false);
    } catch (IOException e) {
      throw new UncheckedIOException("no directory " + path, e);
    }
  }

  Path data() {
    return path.resolve("data");
  }

  Path log() {
    return path.resolve("server.log");
  }

  /** Returns the last lines of the log, for an error message. */
  String logTail() {
    try {
      List<String> lines =
          Files.exists(log()) ? Files.readAllLines(log(), StandardCharsets.ISO_8859_1) : List.of();
      return log() + " ends with:\n"
          + String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    } catch (IOException e) {
      return log() + " cannot be read: " + e;
    }
  }

  /** Deletes a temporary directory, and keeps any other. */
  void discard() {
    if (!temporary) {
      return;
    }
    try {
      FileTree.delete(path);
    } catch (IOException e) {
      throw new LocalServerException("cannot delete " + path, e);
    }
    Guard.keep(path);
  }
}
