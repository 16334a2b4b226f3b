package io.hapax.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/**
 * A JVM that runs {@link ServerOwner}: it owns a server of each given kind, and ends as the test
 * requires.
 */
final class OwnerJvm implements AutoCloseable {

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
   * Starts the JVM and returns when its servers answer. Their data are in the temporary directory.
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
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
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
        .filter(Predicate.not(ProcessTree::isGone)) // PostgreSQL starts some that end by themselves
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
