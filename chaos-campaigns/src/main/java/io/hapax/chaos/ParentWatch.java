package io.hapax.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Executes the commands of the parent process from the standard input. {@value #STOP} ends the
 * process normally. {@value #SLOW} and {@value #HOLD}, each with a number, pause batches at the
 * {@link PauseGate}, and {@value #GO_ON} releases them. The end of the stream means that the parent
 * is dead, and the process halts.
 */
final class ParentWatch {

  static final String STOP = "stop";
  static final String GO_ON = "go on";
  static final String SLOW = "slow";
  static final String HOLD = "hold";
  private static final int ORPHAN = 3;

  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

  private @Nullable PauseGate gate;

  private ParentWatch() {}

  static ParentWatch of(InputStream input) {
    ParentWatch watch = new ParentWatch();
    Thread thread = new Thread(() -> watch.listen(input), "parent-watch");
    thread.setDaemon(true);
    thread.start();
    return watch;
  }

  private void listen(InputStream input) {
    try {
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        obey(line.split(" ", -1), line);
      }
    } catch (IOException brokenPipe) {
      Runtime.getRuntime().halt(ORPHAN);
    }
    Runtime.getRuntime().halt(ORPHAN);
  }

  private synchronized void obey(String[] words, String line) {
    if (line.equals(STOP)) {
      stop.countDown();
    } else if (line.equals(GO_ON)) {
      released.countDown();
    }
    if (gate != null && line.equals(GO_ON)) {
      gate.resume();
    } else if (gate != null && (words[0].equals(SLOW) || words[0].equals(HOLD))) {
      gate.request(Long.parseLong(words[1]), words[0].equals(HOLD));
    }
  }

  /**
   * Sets the gate of later commands. The parent sends them after this process has reported that it
   * is ready.
   */
  synchronized void use(PauseGate pauseGate) {
    this.gate = pauseGate;
  }

  boolean stopped() {
    return stop.getCount() == 0;
  }

  /** Waits until the parent releases the held batch. A parent that lives always does. */
  void awaitRelease() throws InterruptedException {
    released.await();
  }

  /** Waits for the stop command, and returns whether it came. */
  boolean awaitStop(Duration atMost) throws InterruptedException {
    return stop.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
  }
}
