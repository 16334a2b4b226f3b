package io.hapax.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The numeric id of the user who runs this JVM. In a container the user may have no name. The JDK's
 * {@code UnixSystem} then reports 0, and {@code user.name} a question mark.
 */
final class CurrentUser {

  static final int ROOT = 0;

  private CurrentUser() {}

  /** Returns the number that a new file gets as its owner. */
  static int id() {
    try {
      Path file = Files.createTempFile("hapax-owner-", null);
      try {
        return (Integer) Files.getAttribute(file, "unix:uid");
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot find the user of this JVM", e);
    }
  }
}
