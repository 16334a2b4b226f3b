package io.hapax.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Executes the commands of the parent process from the standard input. {@value #STOP} ends the
 * process normally. {@value #SLOW} and {@value #HOLD}, each with a number, pause batches that are
 * in flight, so that the parent can inject a fault. {@value #GO_ON} releases them. Pauses also
 * begin after a configured number of effects. The end of the stream means that the parent is dead,
 * and the process halts.
 */
final class ParentWatch {

  static final String STOP = "stop";
  static final String GO_ON = "go on";
  static final String SLOW = "slow";
  static final String HOLD = "hold";
  private static final int ORPHAN = 3;
  private static final long STEP_MILLIS = 60;
  private static final Duration CHECK_INTERVAL = Duration.ofMillis(100);

  private final Reports reports;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final AtomicLong effects = new AtomicLong();
  private @Nullable Pause pause;

  /** A held batch waits for {@link #GO_ON}, others for a short time at each step. */
  private record Pause(long number, boolean held, long after) {}

  /** Pauses after this number of effects; {@link Long#MAX_VALUE} never pauses. */
  ParentWatch(Reports reports, long pauseAfter) {
    this.reports = reports;
    this.pause = new Pause(Reports.BY_EFFECTS, false, pauseAfter);
  }

  void start(InputStream input) {
    Thread thread = new Thread(() -> listen(input), "parent-watch");
    thread.setDaemon(true);
    thread.start();
  }

  private void listen(InputStream input) {
    try {
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        obey(line);
      }
    } catch (IOException brokenPipe) {
      // the parent is dead, as at the end of the stream
    }
    Runtime.getRuntime().halt(ORPHAN);
  }

  synchronized void obey(String line) {
    String[] words = line.split(" ", -1);
    switch (words[0]) {
      case STOP -> stop.countDown();
      case SLOW, HOLD -> pause = new Pause(Long.parseLong(words[1]), words[0].equals(HOLD), 0);
      default -> pause = null; // GO_ON: paused batches continue at full speed
    }
    notifyAll();
  }

  void count(int count) {
    effects.addAndGet(count);
  }

  /** Call it while a batch is in flight, at each place where a fault is useful. */
  void pauseIfReached() throws InterruptedException {
    Pause asked = pause();
    if (asked == null || effects.get() < asked.after) {
      return;
    }
    reports.armed(asked.number);
    if (!asked.held) {
      TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
      return;
    }
    synchronized (this) {
      while (asked.equals(pause)) {
        wait();
      }
    }
  }

  private synchronized @Nullable Pause pause() {
    return pause;
  }

  boolean awaitStop() throws InterruptedException {
    return awaitStop(CHECK_INTERVAL);
  }

  boolean awaitStop(Duration atMost) throws InterruptedException {
    return stop.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
  }
}
