package io.hapax.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** As whom PostgreSQL runs. It refuses to be root, which many a container and CI machine is. */
enum PostgresUser {

  /**
   * In a user namespace of its own, where it sees itself as nobody while its files are still ours;
   * and in a namespace for System V shared memory, so that a killed server leaves none behind. The
   * first choice, root or not.
   */
  NAMESPACE("unshare --user --ipc"),

  /** As ourselves, if we are not root and have a name: it asks for that too. */
  SELF(""),

  /** As another user, for root where namespaces are forbidden. */
  NOBODY("setpriv --reuid=65534 --regid=65534 --clear-groups");

  private static final int NOBODY_ID = 65534;
  private static final long PROBE_SECONDS = 10;

  private final String prefix;

  PostgresUser(String prefix) {
    this.prefix = prefix;
  }

  /** The ways that this machine allows, best first. */
  static List<PostgresUser> usable() {
    List<PostgresUser> usable = new ArrayList<>();
    for (PostgresUser user : values()) {
      if (user.isUsable()) {
        usable.add(user);
      }
    }
    return usable;
  }

  /** The first of them; says what to do if there is none. */
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
   * Whether the server's System V shared memory is the machine's, where a killed server leaves its
   * segment.
   */
  boolean sharesMemory() {
    return this != NAMESPACE;
  }

  /** Makes a file or directory the server's own, and lets it reach what lies in it. */
  void own(Path path) throws IOException {
    if (this == NOBODY) {
      Files.setAttribute(path, "unix:uid", NOBODY_ID, LinkOption.NOFOLLOW_LINKS);
      Files.setAttribute(path, "unix:gid", NOBODY_ID, LinkOption.NOFOLLOW_LINKS);
    }
  }

  private boolean isUsable() {
    boolean root = CurrentUser.id() == CurrentUser.ROOT;
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
