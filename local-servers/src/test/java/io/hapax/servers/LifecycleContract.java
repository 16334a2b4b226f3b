package io.hapax.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contract of every kind of server. {@link GuardTest} checks that no server outlives its JVM. A
 * subclass builds, writes and reads its kind.
 */
@Timeout(120)
abstract class LifecycleContract<S extends LocalServer, B extends LocalServer.Builder<S, B>> {

  /** A value of a server's setting that prevents its start, and the expected message. */
  record Refused(String setting, String value, String complaint) {}

  @TempDir
  private Path directory;

  abstract B builder();

  /** Stores the values in a place that it creates. Called once for a server's data. */
  abstract void write(S server, String... values) throws Exception;

  /** Returns all stored values in their order, and waits for a silent server. */
  abstract List<String> read(S server) throws Exception;

  abstract Refused refused();

  @Test
  void a_killed_server_restarts_with_its_data_at_the_same_port() throws Exception {
    try (S server = builder().start()) {
      write(server, "a", "b");
      int port = server.port();
      List<ProcessHandle> processes = Processes.tree(server.pid());

      server.kill();
      server.kill();

      assertThat(processes).isNotEmpty().allMatch(ProcessTree::isGone);
      assertThatThrownBy(server::pid)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("does not run");
      server.restart();
      assertThat(server.port()).isEqualTo(port);
      assertThat(processes).extracting(ProcessHandle::pid).doesNotContain(server.pid());
      assertThat(read(server)).containsExactly("a", "b");
    }
  }

  @Test
  void a_running_server_is_restarted_in_good_order_with_its_data() throws Exception {
    try (S server = builder().start()) {
      write(server, "a", "b");
      long pid = server.pid();

      server.restart();

      assertThat(Processes.isGone(pid)).isTrue();
      assertThat(read(server)).containsExactly("a", "b");
    }
  }

  @Test
  void a_paused_server_blocks_its_callers_and_answers_when_resumed() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (S server = builder().start()) {
      write(server, "a", "b");
      Future<List<String>> waiting;
      server.pause();
      try {
        server.pause();
        waiting = thread.submit(() -> read(server));
        assertThatThrownBy(() -> waiting.get(500, TimeUnit.MILLISECONDS))
            .isInstanceOf(TimeoutException.class);
      } finally {
        server.resume();
      }
      assertThat(waiting.get(30, TimeUnit.SECONDS)).containsExactly("a", "b");
    } finally {
      thread.shutdownNow();
    }
  }

  @Test
  void a_given_directory_keeps_its_data_for_the_next_server() throws Exception {
    try (S first = builder().directory(directory).start()) {
      write(first, "a", "b");
    }

    try (S second = builder().directory(directory).start()) {
      assertThat(read(second)).containsExactly("a", "b");
    }
  }

  @Test
  void a_closed_server_is_gone_even_if_it_was_paused_and_does_not_come_back() {
    S server = builder().start();
    List<ProcessHandle> processes = Processes.tree(server.pid());

    server.pause();
    server.close();
    server.close();

    assertThat(processes).isNotEmpty().allMatch(ProcessTree::isGone);
    assertThatThrownBy(server::restart)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(server::pid)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("does not run");
  }

  @Test
  void a_server_that_cannot_start_says_why_and_leaves_nothing() {
    B broken =
        builder().directory(directory).setting(refused().setting(), refused().value());

    assertThatThrownBy(broken::start)
        .isInstanceOf(LocalServerException.class)
        .hasMessageContaining("ended with status 1")
        .hasMessageContaining(refused().complaint());
    assertThat(ProcessHandle.current()
            .descendants()
            .map(child -> child.info().commandLine().orElse("")))
        .noneMatch(commandLine -> commandLine.contains(directory.toString()));
  }
}
