package io.hapax.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A consumer process, as its parent sees it. It ends when its parent does. */
final class Child implements AutoCloseable {

  private static final int PATIENCE_SECONDS = 40;

  private final long number;
  private final Process process;
  private final Path log;
  private final ReportReader reports = new ReportReader();
  private final Thread reader;

  private Child(long number, Process process, Path log) {
    this.number = number;
    this.process = process;
    this.log = log;
    this.reader = new Thread(this::read, "reports-of-" + process.pid());
  }

  /**
   * Starts a consumer.
   *
   * @param number what it is known by in the ledger
   * @param log where its standard error goes
   * @param classPath the version that it runs
   * @param jvmOptions what its JVM is told
   * @param arguments what it is told
   */
  static Child start(
      long number, Path log, String classPath, List<String> jvmOptions, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Few live longer than it takes to compile them well, and that would be most of what they cost.
    command.addAll(List.of("-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", classPath));
    command.addAll(List.of(DemoMain.class.getName(), ConsumeCommand.NAME));
    command.add("--number=" + number);
    command.addAll(arguments);
    Process process = new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
    Child child = new Child(number, process, log);
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

  /** What it is known by: the system gives a process id that is free to the next one. */
  long number() {
    return number;
  }

  long pid() {
    return process.pid();
  }

  ReportReader reports() {
    return reports;
  }

  /**
   * Makes sure that it still runs.
   *
   * @throws IllegalStateException if it ended by itself
   */
  void mustRun() throws IOException {
    if (!reader.isAlive() && process.isAlive()) {
      throw new IllegalStateException("the reports of the consumer could not be read");
    }
    if (!process.isAlive()) {
      throw new IllegalStateException(
          "the consumer ended by itself, exit code " + process.exitValue() + ": " + endOfLog());
    }
  }

  /** Sends SIGKILL, and returns when the process is gone and all that it reported is read. */
  void kill() throws InterruptedException {
    // Not process.destroyForcibly(): that closes the pipe, and with it goes what was reported.
    process.toHandle().destroyForcibly();
    process.waitFor();
    reader.join();
  }

  /** Lets it rest in mid-step, until {@link #resume()}. */
  void pause() throws IOException, InterruptedException {
    signal("STOP");
  }

  /** Lets it go on after a {@link #pause()}. */
  void resume() throws IOException, InterruptedException {
    signal("CONT");
  }

  /** Java cannot send these; every POSIX shell can, even where there is no program "kill". */
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

  /**
   * Asks it to end in good order, and waits for that.
   *
   * @throws IllegalStateException if it does not within a while, or fails
   */
  void stop() throws IOException, InterruptedException {
    mustRun();
    tell(ParentWatch.STOP);
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

  /** Lets go of what its brake holds until told, and of all that it would hold from now on. */
  void goOn() throws IOException {
    tell(ParentWatch.GO_ON);
  }

  private void tell(String word) throws IOException {
    process.getOutputStream().write((word + '\n').getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  /** What it said last. */
  String endOfLog() throws IOException {
    String text = Files.readString(log);
    return text.substring(Math.max(0, text.length() - 2_000)).strip();
  }

  /** Kills it if it still runs. */
  @Override
  public void close() {
    process.destroyForcibly();
  }
}
