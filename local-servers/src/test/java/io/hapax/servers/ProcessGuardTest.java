package io.hapax.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks that no server outlives its JVM. Each test starts a JVM that owns servers, and ends it in
 * a different way.
 */
@Tag("nightly")
@Timeout(120)
class ProcessGuardTest {

  private static final Set<ServerKind> ALL = EnumSet.allOf(ServerKind.class);

  /** One server is a tree of processes, the other a single one. */
  private static final Set<ServerKind> QUICK = EnumSet.of(ServerKind.POSTGRES, ServerKind.REDIS);

  @TempDir
  private Path temporary;

  @Test
  void servers_are_gone_with_their_files_after_their_jvm_was_killed() throws Exception {
    try (OwnerJvm owner = startOwner(ALL)) {
      owner.kill();

      owner.awaitThatNothingIsLeft();
      assertThat(temporary).isEmptyDirectory();
    }
  }

  @Test
  void paused_servers_are_gone_after_their_jvm_was_killed() throws Exception {
    try (OwnerJvm owner = startOwner(QUICK)) {
      owner.pauseServers();

      owner.kill();

      owner.awaitThatNothingIsLeft();
    }
  }

  @Test
  void servers_are_gone_after_their_jvm_exited_without_closing_them() throws Exception {
    try (OwnerJvm owner = startOwner(QUICK)) {
      owner.exit();

      owner.awaitThatNothingIsLeft();
    }
  }

  @Test
  void servers_are_killed_by_their_jvm_when_the_watchdog_was_killed() throws Exception {
    try (OwnerJvm owner = startOwner(QUICK)) {
      owner.pauseServers();

      owner.killWatchdog();

      owner.awaitThatServersAreGone();
      assertThat(owner.isAlive()).isTrue();
    }
  }

  @Test
  void all_this_works_from_packaged_jars_with_nothing_unpacked_before() throws Exception {
    Path unpacked = temporary.resolve("unpacked");
    try (OwnerJvm owner = OwnerJvm.start(packagedClassPath(), temporary, unpacked, ALL)) {
      owner.kill();

      owner.awaitThatNothingIsLeft();
      assertThat(Processes.files(unpacked))
          .extracting(path -> path.getFileName().toString().replaceAll("-.*", ""))
          .containsExactlyInAnyOrder(
              "watchdog", "kafka", "postgres", "redis", "mariadb", "rocketmq", "ports");
    }
  }

  private OwnerJvm startOwner(Set<ServerKind> kinds) throws IOException {
    return OwnerJvm.start(
        System.getProperty("java.class.path"), temporary, UnpackedFolder.location(), kinds);
  }

  /** Returns the test's class path with jars in place of the directories. */
  private String packagedClassPath() throws IOException {
    Path jars = Files.createDirectory(temporary.resolve("jars"));
    return Arrays.stream(System.getProperty("java.class.path").split(":", -1))
        .filter(entry -> !entry.isEmpty())
        .map(entry -> Files.isDirectory(Path.of(entry)) ? packaged(entry, jars) : entry)
        .collect(Collectors.joining(":"));
  }

  private static String packaged(String directory, Path jars) {
    String jar = jars.resolve(directory.replace('/', '_') + ".jar").toString();
    int status = ToolProvider.findFirst("jar")
        .orElseThrow()
        .run(
            System.out,
            System.err,
            "--create",
            "--no-compress",
            "--file",
            jar,
            "-C",
            directory,
            ".");
    assertThat(status).isZero();
    return jar;
  }
}
