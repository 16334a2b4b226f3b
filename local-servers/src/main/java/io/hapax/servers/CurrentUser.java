package io.hapax.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The user who runs this JVM, by number: in a container it may have no name, and then the JDK's
 * {@code UnixSystem} says 0 for it and {@code user.name} a question mark.
 */
final class CurrentUser {

  static final int ROOT = 0;

  private CurrentUser() {}

  /** The number that a new file gets as its owner. */
  static int id() {
    try {
      Path file = Files.createTempFile("hapax-owner-", null);
      try {
        return (Integer) Files.getAttribute(file, "unix:uid");
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot find out who runs this", e);
    }
  }
}
