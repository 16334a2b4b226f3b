package io.hapax.servers;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Starts, stops, continues, kills and ends one server. This part is the same for every kind. */
final class Lifecycle {

  private static final long POLL_MILLIS = 20;
  private static final long END_MILLIS = 10_000;

  private final Program program;
  private final ServerDirectory directory;
  private final Duration startTimeout;
  private @Nullable Process process;
  private boolean closed;

  Lifecycle(Program program, ServerDirectory directory, Duration startTimeout) {
    this.program = program;
    this.directory = directory;
    this.startTimeout = startTimeout;
  }

  /** Starts the server for the first time. After a failure nothing remains of it. */
  synchronized void start() {
    try {
      restart();
    } catch (RuntimeException | Error e) {
      try {
        close();
      } catch (RuntimeException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  synchronized long pid() {
    return running().pid();
  }

  synchronized void pause() {
    ProcessTree.pause(running().toHandle());
  }

  synchronized void resume() {
    ProcessTree.resume(running().toHandle());
  }

  synchronized void kill() {
    if (process != null) {
      ProcessTree.kill(process.toHandle());
      hasEnded(
          process, END_MILLIS); // a zombie is not collected yet, and counts as alive until then
    }
  }

  synchronized void restart() {
    if (closed) {
      throw new IllegalStateException(program.name() + " is closed");
    }
    end(true);
    process = program.launch();
    awaitAnswer(process);
  }

  synchronized void close() {
    if (!closed) {
      closed = true;
      try {
        end(!directory.temporary());
        program.forget();
      } finally {
        directory.discard();
      }
    }
  }

  private Process running() {
    Process current = process;
    if (current == null || !current.isAlive()) {
      throw new IllegalStateException(program.name() + " does not run");
    }
    return current;
  }

  /**
   * Ends the server. A paused process receives the signal and acts on it when it is continued. A
   * process that does not end is killed.
   */
  private void end(boolean dataAreKept) {
    Process current = process;
    if (current == null || !current.isAlive()) {
      return;
    }
    try {
      ProcessTree.signal(program.endSignal(dataAreKept), List.of(current.toHandle()));
      ProcessTree.resume(current.toHandle());
      hasEnded(current, END_MILLIS);
    } finally {
      if (current.isAlive()) {
        ProcessTree.kill(current.toHandle());
      }
    }
  }

  private void awaitAnswer(Process started) {
    Deadline deadline = Deadline.in(startTimeout);
    Optional<Throwable> refusal = program.probe();
    while (refusal.isPresent()) {
      if (hasEnded(started, POLL_MILLIS)) {
        throw new LocalServerException(program.name() + " ended with status " + started.exitValue()
            + " before it answered; " + directory.logTail());
      }
      if (deadline.hasPassed()) {
        throw new LocalServerException(
            program.name() + " did not answer within " + startTimeout + "; " + directory.logTail(),
            refusal.get());
      }
      refusal = program.probe();
    }
  }

  private boolean hasEnded(Process current, long withinMillis) {
    try {
      return current.waitFor(withinMillis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LocalServerException("interrupted while waiting for " + program.name(), e);
    }
  }
}
