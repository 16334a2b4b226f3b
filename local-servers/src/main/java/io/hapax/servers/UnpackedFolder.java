package io.hapax.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Folders with the unpacked binaries and jars of the servers. They are kept between runs and shared
 * by all JVMs of a user. They are below the temporary directory, or in the directory that the
 * system property {@value #PROPERTY} names.
 *
 * <p>A folder's name contains a digest of its content. The folder appears in one step, so it is
 * complete or missing.
 */
final class UnpackedFolder {

  static final int ROOT_USER = 0;

  static final String PROPERTY = "hapax.servers.cache";

  private static final Set<PosixFilePermission> PERMISSIONS =
      PosixFilePermissions.fromString("rwxr-xr-x");

  @FunctionalInterface
  interface Filling {
    void fill(Path folder) throws IOException;
  }

  private UnpackedFolder() {}

  static synchronized Path of(String name, String digest, Filling filling) {
    try {
      Path root = root();
      Path folder = root.resolve(name + '-' + digest);
      if (!Files.isDirectory(folder)) {
        fill(root, folder, filling);
      }
      return folder;
    } catch (IOException e) {
      throw new LocalServerException("cannot unpack " + name, e);
    }
  }

  static Path location() {
    Path usual = Path.of(System.getProperty("java.io.tmpdir"), "hapax-servers-" + userId());
    return Path.of(System.getProperty(PROPERTY, usual.toString())).toAbsolutePath();
  }

  /**
   * Returns the number of this JVM's user, which a new file gets as its owner. In a container the
   * user may have no name. The JDK's {@code UnixSystem} then reports 0, and {@code user.name} a
   * question mark.
   */
  static int userId() {
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

  private static void fill(Path root, Path folder, Filling filling) throws IOException {
    Path unfinished = Files.createTempDirectory(root, "unfinished-");
    try {
      Files.setPosixFilePermissions(unfinished, PERMISSIONS);
      filling.fill(unfinished);
      Files.move(unfinished, folder, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException | UncheckedIOException e) {
      if (!Files.isDirectory(folder)) { // otherwise another JVM was faster, with the same content
        throw e;
      }
    } finally {
      Watchdog.delete(unfinished);
    }
  }

  /**
   * Returns the parent folder. Its files are executed, so it must belong to this user and be
   * writable to no other.
   */
  static Path root() throws IOException {
    Path root = location();
    if (!Files.isDirectory(root, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectories(root, PosixFilePermissions.asFileAttribute(PERMISSIONS));
      Files.setPosixFilePermissions(root, PERMISSIONS);
    }
    int owner = (Integer) Files.getAttribute(root, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    Set<PosixFilePermission> permissions =
        Files.getPosixFilePermissions(root, LinkOption.NOFOLLOW_LINKS);
    if (owner != userId()
        || permissions.contains(PosixFilePermission.GROUP_WRITE)
        || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
      throw new LocalServerException(root
          + " must belong to the user who runs this and be writable to no other user; it has owner "
          + owner + " and " + PosixFilePermissions.toString(permissions));
    }
    return root;
  }
}
