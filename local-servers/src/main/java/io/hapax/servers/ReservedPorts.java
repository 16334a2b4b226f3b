package io.hapax.servers;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Reserves ports among the JVMs of one user. A server needs seconds until it listens at its port,
 * and none listens there while it restarts, so another JVM would find the port free.
 *
 * <p>A port is reserved by a lock on the byte of that number in a file. The operating system
 * releases the locks of a process that ends, however it ends.
 */
record ReservedPorts(Path file, FileChannel channel) {

  static ReservedPorts ofThisUser() {
    try {
      return in(UnpackedFolder.root().resolve("ports"));
    } catch (IOException e) {
      throw failed(UnpackedFolder.location(), e);
    }
  }

  /**
   * Opens the file, which is never closed: on some systems that would release the locks.
   *
   * @throws LocalServerException if it cannot be written
   */
  static ReservedPorts in(Path file) {
    try {
      return new ReservedPorts(
          file, FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE));
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  /**
   * Reserves a port until this JVM ends. Returns false if it is reserved already, by any JVM.
   *
   * @throws LocalServerException if the file system has no locks
   */
  boolean reserve(int port) {
    try {
      return channel.tryLock(port, 1, false) != null;
    } catch (OverlappingFileLockException e) {
      return false; // by this JVM
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  private static LocalServerException failed(Path file, IOException cause) {
    return new LocalServerException("cannot reserve ports in " + file, cause);
  }
}
