package io.hapax.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A consumer process, as its parent sees it. It ends when its parent ends. */
final class ConsumerProcess implements AutoCloseable {

  private static final int PATIENCE_SECONDS = 40;

  private final long number;
  private final Process process;
  private final Path log;
  private final ReportReader reports = new ReportReader();
  private final Thread reader;
  private final AtomicLong requests = new AtomicLong(Reports.BY_EFFECTS);
  private boolean stopRequested;
  private long pausedNanos;
  private volatile boolean paused;

  private ConsumerProcess(long number, Process process, Path log) {
    this.number = number;
    this.process = process;
    this.log = log;
    this.reader = new Thread(this::read, "reports-of-" + process.pid());
  }

  static ConsumerProcess start(long number, Path log, List<String> command) throws IOException {
    Process process = new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
    ConsumerProcess child = new ConsumerProcess(number, process, log);
    child.reader.setDaemon(true);
    child.reader.start();
    return child;
  }

  private void read() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        reports.accept(line, System.nanoTime());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the reports of process " + pid(), e);
    }
  }

  /** Returns its number. A process id would not be unique: the system reuses it. */
  long number() {
    return number;
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  ReportReader reports() {
    return reports;
  }

  void mustRun() throws IOException, InterruptedException {
    // A process closes its reports shortly before it ends.
    if (!reader.isAlive() && !process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException(
          "the reports of the consumer could not be read: " + endOfLog());
    }
    if (!process.isAlive()) {
      throw new IllegalStateException(
          "the consumer ended by itself, exit code " + process.exitValue() + ": " + endOfLog());
    }
  }

  /** Sends SIGKILL. Returns when the process is gone and all of its reports are read. */
  void kill() throws InterruptedException {
    // process.destroyForcibly() would close the pipe, and lose the reports in it.
    process.toHandle().destroyForcibly();
    process.waitFor();
    reader.join();
  }

  void pause() throws IOException, InterruptedException {
    signal("STOP");
    pausedNanos = System.nanoTime();
    paused = true;
  }

  void resume() throws IOException, InterruptedException {
    if (paused) {
      reports.paused(pausedNanos, System.nanoTime()); // first: then it completes orders
    }
    signal("CONT");
    paused = false;
  }

  boolean isPaused() {
    return paused;
  }

  /** Java cannot send these signals, and a program "kill" may be missing. */
  private void signal(String name) throws IOException, InterruptedException {
    int exitCode = new ProcessBuilder(
            "/bin/sh", "-c", "kill -s \"$0\" \"$1\"", name, Long.toString(pid()))
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start()
        .waitFor();
    if (exitCode != 0) {
      throw new IllegalStateException("SIG" + name + " did not reach the consumer: " + endOfLog());
    }
  }

  void requestStop() throws IOException, InterruptedException {
    mustRun();
    send(ParentWatch.STOP);
    stopRequested = true;
  }

  void stop() throws IOException, InterruptedException {
    if (!stopRequested) {
      requestStop();
    }
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException(
          "the consumer did not end within " + PATIENCE_SECONDS + " s: " + endOfLog());
    }
    reader.join();
    if (process.exitValue() != 0) {
      throw new IllegalStateException("the consumer failed when it was stopped, exit code "
          + process.exitValue() + ": " + endOfLog());
    }
  }

  /**
   * Pauses batches at each step, held ones until the release. Returns the number of the request.
   */
  long slowDown(boolean held) throws IOException {
    long request = requests.incrementAndGet();
    send((held ? ParentWatch.HOLD : ParentWatch.SLOW) + ' ' + request);
    return request;
  }

  /** Ends the pause of its batches, until the next {@link #slowDown} if there is one. */
  void release() throws IOException {
    send(ParentWatch.GO_ON);
  }

  /** If the process has ended by itself, the end of its log says why; a broken pipe does not. */
  private void send(String word) throws IOException {
    try {
      process.getOutputStream().write((word + '\n').getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new IOException("the consumer has ended or does not read its input: " + endOfLog(), e);
    }
  }

  String endOfLog() throws IOException {
    String text = Files.readString(log);
    return text.substring(Math.max(0, text.length() - 2_000)).strip();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
