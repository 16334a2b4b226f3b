package io.hapax.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Reads the parent's commands from the standard input. {@value #STOP} ends the process normally,
 * and {@value #GO_ON} releases a held batch. The end of the stream means that the parent is dead,
 * and the process halts.
 */
final class ParentWatch {

  static final String STOP = "stop";
  static final String GO_ON = "go on";
  private static final int ORPHAN = 3;

  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

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
        if (line.equals(STOP)) {
          stop.countDown();
        } else if (line.equals(GO_ON)) {
          released.countDown();
        }
      }
    } catch (IOException brokenPipe) {
      Runtime.getRuntime().halt(ORPHAN);
    }
    Runtime.getRuntime().halt(ORPHAN);
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
