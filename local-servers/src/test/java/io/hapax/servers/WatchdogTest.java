package io.hapax.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchdogTest {

  private static final long BOUND_SECONDS = 10;

  @Test
  void kills_what_it_guards_and_nothing_that_was_released() throws Exception {
    Process guarded = sleeper();
    Process released = sleeper();
    try {
      runWatchdog("guard " + guarded.pid(), "guard " + released.pid(), "release " + released.pid());

      assertThat(guarded.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(released.isAlive()).isTrue();
    } finally {
      guarded.destroyForcibly();
      released.destroyForcibly();
    }
  }

  @Test
  void deletes_directories_but_follows_no_link_and_leaves_what_it_should_keep(
      @TempDir Path temporary) throws Exception {
    Path doomed = Files.createDirectories(temporary.resolve("doomed/below"));
    Path kept = Files.createDirectories(temporary.resolve("kept"));
    Path elsewhere =
        Files.createFile(Files.createDirectories(temporary.resolve("elsewhere")).resolve("file"));
    Files.createSymbolicLink(doomed.resolve("link"), elsewhere.getParent());

    runWatchdog("delete " + doomed.getParent(), "delete " + kept, "keep " + kept);

    assertThat(doomed.getParent()).doesNotExist();
    assertThat(kept).exists();
    assertThat(elsewhere).exists();
  }

  @Test
  void is_deaf_to_the_signals_that_end_a_terminal_session(@TempDir Path temporary) {
    ProcessGuard.keep(temporary);
    ProcessHandle watchdog = Processes.watchdog();

    for (String signal : List.of("HUP", "INT", "TERM")) {
      ProcessTree.signal(signal, List.of(watchdog));
    }

    assertThatThrownBy(() -> watchdog.onExit().get(300, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
  }

  @Test
  void a_process_whose_jvm_ended_before_the_watchdog_knew_of_it_never_begins(
      @TempDir Path temporary) throws Exception {
    Path trace = temporary.resolve("trace");
    Process process = new ProcessBuilder(
            "/bin/sh", "-c", ProcessGuard.ON_GO, "test", "touch", trace.toString())
        .start();

    process.getOutputStream().close();

    assertThat(process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(125);
    assertThat(trace).doesNotExist();
  }

  private static Process sleeper() throws IOException {
    return new ProcessBuilder("sleep", "60").start();
  }

  /** Sends the orders to a separate watchdog, ends its input and waits for its end. */
  private static void runWatchdog(String... orders) throws Exception {
    List<String> command =
        ChildJvm.command("-cp", ChildJvm.ownClasses().toString(), Watchdog.class.getName());
    Process watchdog = new ProcessBuilder(command)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
    try (Writer writer = watchdog.outputWriter(StandardCharsets.UTF_8)) {
      for (String order : orders) {
        writer.append(order).append('\n');
      }
    }
    assertThat(watchdog.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(watchdog.exitValue()).isZero();
  }
}
