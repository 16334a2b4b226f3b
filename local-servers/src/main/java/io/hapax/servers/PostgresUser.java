package io.hapax.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The user of the PostgreSQL process. PostgreSQL refuses to run as root, which is common in
 * containers and on CI machines.
 */
enum PostgresUser {

  /**
   * Runs in a user namespace, where the server sees itself as the user {@code nobody} while its
   * files belong to the current user. A namespace for System V shared memory makes sure that a
   * killed server leaves none behind. This is the first choice, root or not.
   */
  NAMESPACE("unshare --user --ipc"),

  /** Runs as the current user, who must not be root and must have a name. */
  SELF(""),

  /** Runs as another user, for root on a machine that forbids namespaces. */
  NOBODY("setpriv --reuid=65534 --regid=65534 --clear-groups");

  private static final int NOBODY_ID = 65534;
  private static final long PROBE_SECONDS = 10;

  private final String prefix;

  PostgresUser(String prefix) {
    this.prefix = prefix;
  }

  /** Returns the usable kinds on this machine, the best one first. */
  static List<PostgresUser> usable() {
    return Arrays.stream(values()).filter(PostgresUser::isUsable).toList();
  }

  /** Returns the first one. Its exception names the remedy if there is none. */
  static PostgresUser best(List<PostgresUser> usable) {
    return usable.stream()
        .findFirst()
        .orElseThrow(() -> new LocalServerException(
            "PostgreSQL refuses to run as root or as a user without a name, and this machine allows neither `"
                + NAMESPACE.prefix + "` nor `" + NOBODY.prefix
                + "`: run this as an ordinary user"));
  }

  List<String> command(List<String> command) {
    List<String> whole = new ArrayList<>();
    if (!prefix.isEmpty()) {
      whole.addAll(List.of(prefix.split(" ", -1)));
    }
    whole.addAll(command);
    return whole;
  }

  /**
   * Returns whether the server uses the machine's System V shared memory, where a killed server
   * leaves its segment.
   */
  boolean sharesMemory() {
    return this != NAMESPACE;
  }

  /** Makes the server the owner of a file or directory, and permits it to reach the content. */
  void own(Path path) throws IOException {
    if (this == NOBODY) {
      Files.setAttribute(path, "unix:uid", NOBODY_ID, LinkOption.NOFOLLOW_LINKS);
      Files.setAttribute(path, "unix:gid", NOBODY_ID, LinkOption.NOFOLLOW_LINKS);
    }
  }

  private boolean isUsable() {
    boolean root = UnpackedFolder.userId() == UnpackedFolder.ROOT_USER;
    return switch (this) {
      case SELF -> !root && runs(List.of("id", "-un"));
      case NOBODY -> root && runs(command(List.of("true")));
      case NAMESPACE -> runs(command(List.of("true")));
    };
  }

  private static boolean runs(List<String> command) {
    try {
      Process process = new ProcessBuilder(command)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
      return process.waitFor(PROBE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false; // no such command here
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LocalServerException("interrupted while trying " + command, e);
    }
  }
}
