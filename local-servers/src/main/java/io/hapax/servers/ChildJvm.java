package io.hapax.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Starts JVMs with the same Java and a class path of their own.
 *
 * <p>That class path does not depend on the one of this JVM. This JVM's may be a Maven reactor's,
 * an IDE's, or a fat jar with other versions of the same libraries. It is built from resources that
 * are copied to the {@link UnpackedFolder}.
 */
final class ChildJvm {

  private static final List<Class<?>> OWN = List.of(Watchdog.class, ProcessTree.class);
  private static final Set<String> UNWANTED =
      Set.of("CLASSPATH", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

  private ChildJvm() {}

  static List<String> command(String... options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    return command;
  }

  /** Removes the variables that would change a child JVM in addition to its command line. */
  static void clean(Map<String, String> environment) {
    environment.keySet().removeAll(UNWANTED);
  }

  static Path ownClasses() {
    List<String> files =
        OWN.stream().map(type -> type.getName().replace('.', '/') + ".class").toList();
    return UnpackedFolder.of(
        "watchdog", Resources.digest(files), folder -> copyAll(files, "", folder));
  }

  /** Returns the class path of a broker: its own files, and the jars that its list names. */
  static String brokerClassPath(String broker, String... ownFiles) {
    List<String> own = List.of(ownFiles);
    String root = "io/hapax/servers/" + broker + '/';
    String list = root + "broker.classpath";
    List<String> jars = List.of(Resources.text(list).strip().split(":", -1));
    List<String> files = new ArrayList<>(own);
    files.add(list);
    Path folder = UnpackedFolder.of(broker, Resources.digest(files), target -> {
      copyAll(own, "", target);
      copyAll(jars, root, target);
    });
    List<String> entries = new ArrayList<>(List.of(folder.toString()));
    jars.forEach(jar -> entries.add(folder.resolve(jar).toString()));
    return String.join(":", entries);
  }

  private static void copyAll(List<String> files, String prefix, Path folder) throws IOException {
    for (String file : files) {
      Path target = folder.resolve(file);
      Files.createDirectories(target.getParent());
      try (var resource = Resources.open(prefix + file)) {
        Files.copy(resource, target, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }
}
