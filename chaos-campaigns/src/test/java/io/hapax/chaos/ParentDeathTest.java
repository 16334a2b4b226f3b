package io.hapax.chaos;

import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kills the demo in the middle of its run, and checks that all of its processes end. */
@Timeout(180)
class ParentDeathTest {

  /** More sessions than these mean that a consumer is connected and running. */
  private static final int POSTGRES_WITHOUT_SESSIONS = 6;

  @TempDir
  private Path folder;

  @Test
  void consumer_broker_and_database_are_gone_after_the_demo_was_killed() throws Exception {
    Process demo = startDemo();
    List<ProcessHandle> started = new ArrayList<>();
    try {
      await()
          .atMost(Duration.ofSeconds(90))
          .until(() -> count(demo, "postgres") > POSTGRES_WITHOUT_SESSIONS + 4
              && count(demo, "java")
                  == List.of("watchdog", "broker", "consumer").size());
      started.addAll(demo.descendants().toList());

      demo.destroyForcibly().waitFor();

      await()
          .atMost(Duration.ofSeconds(10))
          .until(() -> started.stream().noneMatch(ParentDeathTest::runs));
    } finally {
      demo.destroyForcibly();
      started.forEach(ProcessHandle::destroyForcibly);
    }
  }

  /** Starts a demo that runs for longer than this test needs to kill it. */
  private Process startDemo() throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new ProcessBuilder(
            java,
            "-Djava.io.tmpdir=" + folder,
            "-cp",
            System.getProperty("java.class.path"),
            ChaosCommand.class.getName(),
            "--orders=20000",
            "--kills=0",
            "--store=postgres")
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("output").toFile())
        .start();
  }

  private static long count(Process parent, String program) {
    try (Stream<ProcessHandle> children = parent.descendants()) {
      return children
          .filter(child -> child.info().command().orElse("").endsWith("/bin/" + program))
          .count();
    }
  }

  /** Returns whether the process runs. A zombie has no command. */
  private static boolean runs(ProcessHandle process) {
    return process.isAlive() && process.info().command().isPresent();
  }
}
