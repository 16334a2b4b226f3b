package io.hapax.servers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;

/** The {@code redis-server} for this machine, from the embedded-redis artifact. */
final class RedisBinary {

  private RedisBinary() {}

  /** Returns the program that the system property names, otherwise the artifact's. */
  static Path usual() {
    String given = System.getProperty(LocalRedis.PROGRAM);
    return given == null ? unpacked() : Path.of(given);
  }

  private static Path unpacked() {
    String resource = resource(System.getProperty("os.name"), System.getProperty("os.arch"));
    return UnpackedFolder.of(
            "redis", Resources.digest(List.of(resource)), folder -> unpack(resource, folder))
        .resolve("redis-server");
  }

  static String resource(String system, String architecture) {
    String os = system.toLowerCase(Locale.ROOT).startsWith("mac") ? "darwin" : "linux";
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

  private static void unpack(String resource, Path folder) throws IOException {
    Path program = folder.resolve("redis-server");
    try (InputStream content = Resources.open(resource)) {
      Files.copy(content, program);
    }
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
