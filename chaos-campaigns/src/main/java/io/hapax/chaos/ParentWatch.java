package io.hapax.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

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
  private static final Duration CHECK_INTERVAL = Duration.ofMillis(100);

  private final CountDownLatch stop = new CountDownLatch(1);
  private final PauseGate gate;

  private ParentWatch(PauseGate gate) {
    this.gate = gate;
  }

  static ParentWatch of(InputStream input, PauseGate gate) {
    ParentWatch watch = new ParentWatch(gate);
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
        obey(line);
      }
    } catch (IOException brokenPipe) {
      Runtime.getRuntime().halt(ORPHAN);
    }
    Runtime.getRuntime().halt(ORPHAN);
  }

  private void obey(String line) {
    String[] words = line.split(" ", -1);
    switch (words[0]) {
      case STOP -> stop.countDown();
      case SLOW, HOLD -> gate.request(Long.parseLong(words[1]), words[0].equals(HOLD));
      default -> gate.resume(); // GO_ON
    }
  }

  boolean awaitStop() throws InterruptedException {
    return awaitStop(CHECK_INTERVAL);
  }

  boolean awaitStop(Duration atMost) throws InterruptedException {
    return stop.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
  }
}
