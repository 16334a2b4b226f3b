package io.hapax.console.security;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/** The file with the secret that a user signs in with, in its first line. */
public final class TokenFile {

  private static final int SHORTEST = 16;

  private static final Set<PosixFilePermission> OF_OWNER = EnumSet.of(
      PosixFilePermission.OWNER_READ,
      PosixFilePermission.OWNER_WRITE,
      PosixFilePermission.OWNER_EXECUTE);

  private TokenFile() {}

  /**
   * Reads the token of a file. Creates a missing file with a random token, readable for its owner
   * only. Refuses a file that others may read, and a token that is too short.
   */
  public static String read(Path file) throws IOException {
    if (Files.notExists(file)) {
      create(file);
    }
    refuseReadableForOthers(file);
    try (var lines = Files.lines(file)) {
      String token = lines.findFirst().orElse("").strip();
      if (token.length() < SHORTEST) {
        throw new IllegalArgumentException("the token in " + file + " has " + token.length()
            + " characters but must have at least " + SHORTEST);
      }
      return token;
    }
  }

  private static void create(Path file) throws IOException {
    try {
      Secrets.createFile(file);
    } catch (FileAlreadyExistsException e) {
      return; // another console has created it
    }
    Files.writeString(file, Secrets.random() + "\n", StandardOpenOption.WRITE);
  }

  private static void refuseReadableForOthers(Path file) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view != null && !OF_OWNER.containsAll(view.readAttributes().permissions())) {
      throw new IllegalArgumentException("the token file is " + file
          + " but must be readable for its owner only: chmod 600 " + file);
    }
  }
}
