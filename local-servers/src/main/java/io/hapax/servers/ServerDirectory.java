package io.hapax.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The temporary directory with the data and the log of one server. */
record ServerDirectory(Path path) {

  private static final Path MEMORY = Path.of("/dev/shm");
  private static final int TAIL_LINES = 40;

  /** Creates a directory, in a file system without a disk if wanted and there is one. */
  static ServerDirectory temporary(String server, boolean inMemory) {
    Path parent = inMemory && Files.isDirectory(MEMORY) && Files.isWritable(MEMORY)
        ? MEMORY
        : Path.of(System.getProperty("java.io.tmpdir"));
    try {
      Path path = Files.createTempDirectory(parent, "hapax-" + server + '-');
      ProcessGuard.deleteAtEnd(path);
      return new ServerDirectory(path);
    } catch (IOException e) {
      throw new UncheckedIOException("no temporary directory for " + server, e);
    }
  }

  Path data() {
    return path.resolve("data");
  }

  Path log() {
    return path.resolve("server.log");
  }

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

  void discard() {
    try {
      Watchdog.delete(path);
    } catch (IOException e) {
      throw new LocalServerException("cannot delete " + path, e);
    }
    ProcessGuard.keep(path);
  }
}
