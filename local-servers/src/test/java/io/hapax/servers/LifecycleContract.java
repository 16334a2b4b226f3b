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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;

/**
 * The contract of every kind of server. {@link ProcessGuardTest} checks that no server outlives its
 * JVM.
 */
@Timeout(120)
abstract class LifecycleContract {

  @Parameter
  ServerKind kind;

  @Test
  void a_server_keeps_its_data_and_port_through_a_kill_and_a_normal_restart() throws Exception {
    try (LocalServer server = kind.start()) {
      kind.write(server, "a", "b");
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
      long pid = server.pid();
      assertThat(processes).extracting(ProcessHandle::pid).doesNotContain(pid);
      assertThat(kind.read(server)).containsExactly("a", "b");

      server.restart();

      assertThat(Processes.isGone(pid)).isTrue();
      assertThat(kind.read(server)).containsExactly("a", "b");
    }
  }

  @Test
  void a_paused_server_blocks_its_callers_and_answers_when_resumed() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (LocalServer server = kind.start()) {
      kind.write(server, "a", "b");
      Future<List<String>> waiting;
      server.pause();
      try {
        server.pause();
        waiting = thread.submit(() -> kind.read(server));
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
  void a_closed_server_is_gone_even_if_it_was_paused_and_does_not_come_back() {
    LocalServer server = kind.start();
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
    LocalServer.Builder<?> broken = kind.builder().setting(kind.setting, kind.refused);

    assertThatThrownBy(broken::start)
        .isInstanceOf(LocalServerException.class)
        .hasMessageContaining("ended with status 1")
        .hasMessageContaining(kind.complaint)
        .satisfies(refusal -> assertNothingIsLeft(directoryIn(refusal.toString())));
  }

  private static String directoryIn(String message) {
    Matcher log = Pattern.compile("(/\\S+)/server\\.log ends with").matcher(message);
    assertThat(log.find()).as(message).isTrue();
    return log.group(1);
  }

  private static void assertNothingIsLeft(String directory) {
    assertThat(Path.of(directory)).doesNotExist();
    assertThat(ProcessHandle.current()
            .descendants()
            .map(child -> child.info().commandLine().orElse("")))
        .noneMatch(commandLine -> commandLine.contains(directory));
  }
}
