package io.hapax.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
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

  /**
   * A JVM that runs {@link ServerOwner}: it owns a server of each given kind, and ends as the test
   * requires.
   */
  static final class OwnerJvm implements AutoCloseable {

    private static final Duration BOUND = Duration.ofSeconds(30);

    private final Process process;
    private final BufferedReader answers;
    private final Writer words;
    private final List<ProcessHandle> servers;
    private final long watchdog;

    private OwnerJvm(
        Process process, BufferedReader answers, List<ProcessHandle> servers, long watchdog) {
      this.process = process;
      this.answers = answers;
      this.words = process.outputWriter(StandardCharsets.UTF_8);
      this.servers = servers;
      this.watchdog = watchdog;
    }

    /**
     * Starts the JVM and returns when its servers answer. Their data are in the temporary
     * directory.
     */
    static OwnerJvm start(
        String classPath, Path temporary, Path unpacked, Collection<ServerKind> kinds)
        throws IOException {
      Path errors = temporary.resolve("errors");
      List<String> command = new ArrayList<>(ChildJvm.command(
          "-Djava.io.tmpdir=" + temporary,
          "-D" + UnpackedFolder.PROPERTY + "=" + unpacked,
          "-XX:TieredStopAtLevel=1",
          "-XX:-UsePerfData",
          "-cp",
          classPath,
          ServerOwner.class.getName()));
      kinds.forEach(kind -> command.add(kind.name()));
      Process process =
          new ProcessBuilder(command).redirectError(errors.toFile()).start();
      BufferedReader answers = process.inputReader(StandardCharsets.UTF_8);
      String answer = answers.readLine();
      assertThat(answer).as(() -> read(errors)).startsWith("pids ");
      Files.delete(errors);
      List<Long> pids = Arrays.stream(answer.substring("pids ".length()).split(" ", -1))
          .map(Long::valueOf)
          .toList();
      assertThat(pids).hasSize(kinds.size() + 1);
      List<ProcessHandle> servers = pids.subList(0, kinds.size()).stream()
          .flatMap(pid -> Processes.tree(pid).stream())
          .filter(
              Predicate.not(ProcessTree::isGone)) // PostgreSQL starts some that end by themselves
          .toList();
      assertThat(servers).hasSizeGreaterThan(kinds.size());
      return new OwnerJvm(process, answers, servers, pids.get(kinds.size()));
    }

    void pauseServers() throws IOException {
      words.append("pause\n").flush();
      assertThat(answers.readLine()).isEqualTo("done");
    }

    void exit() throws IOException {
      words.append("exit\n").flush();
    }

    void kill() throws InterruptedException {
      process.destroyForcibly().waitFor();
    }

    void killWatchdog() {
      assertThat(ProcessHandle.of(watchdog).orElseThrow().destroyForcibly()).isTrue();
    }

    boolean isAlive() {
      return process.isAlive();
    }

    void awaitThatServersAreGone() {
      await().atMost(BOUND).until(() -> servers.stream().allMatch(ProcessTree::isGone));
    }

    void awaitThatNothingIsLeft() {
      awaitThatServersAreGone();
      await().atMost(BOUND).until(() -> Processes.isGone(watchdog));
    }

    /** Ends all processes, whatever the result of the test. */
    @Override
    public void close() throws InterruptedException {
      kill();
      servers.forEach(ProcessTree::kill);
    }

    private static String read(Path file) {
      try {
        return Files.readString(file);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /**
   * The main class of a JVM that owns a server of each kind in its arguments and ends abnormally.
   * It prints the process ids, its watchdog's last, and reads one command a line.
   */
  static final class ServerOwner {

    private ServerOwner() {}

    public static void main(String[] args) throws IOException {
      List<LocalServer> servers = Arrays.stream(args)
          .map(ServerKind::valueOf)
          .parallel()
          .map(ServerKind::start)
          .toList();
      System.out.println(servers.stream()
          .map(server -> Long.toString(server.pid()))
          .collect(Collectors.joining(" ", "pids ", " " + Processes.watchdog().pid())));
      BufferedReader words =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String word = words.readLine(); word != null; word = words.readLine()) {
        switch (word) {
          case "pause" -> servers.forEach(LocalServer::pause);
          case "exit" -> System.exit(0);
          default -> throw new IllegalArgumentException(word);
        }
        System.out.println("done");
      }
    }
  }
}
