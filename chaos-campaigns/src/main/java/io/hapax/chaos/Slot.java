package io.hapax.chaos;

import io.hapax.console.trial.TrialConsumer;
import io.hapax.console.trial.TrialConsumer.State;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The place of one consumer. Its process is replaced some seconds after it has ended, unless the
 * place is closed. Thread-safe.
 */
final class Slot {

  /** The time between the end of a process and the start of the next one. */
  private static final Duration PAUSE = Duration.ofSeconds(3);

  final String name;
  final boolean hapax;
  private final Callable<ConsumerProcess> launcher;
  private @Nullable ConsumerProcess process;
  private long endedNanos = System.nanoTime() - PAUSE.toNanos();
  private boolean frozen;
  private boolean closed;

  Slot(String name, boolean hapax, Callable<ConsumerProcess> launcher) {
    this.name = name;
    this.hapax = hapax;
    this.launcher = launcher;
  }

  /** Starts a process if the last one has ended long enough ago. */
  synchronized void supervise() throws Exception {
    if (process != null && !process.isAlive()) {
      process = null;
      frozen = false;
      endedNanos = System.nanoTime();
    }
    if (process == null && !closed && System.nanoTime() - endedNanos >= PAUSE.toNanos()) {
      process = launcher.call();
    }
  }

  /** Prevents further starts, and returns the process if there is one. */
  synchronized Optional<ConsumerProcess> close() {
    closed = true;
    return Optional.ofNullable(process);
  }

  /** Permits starts again, the next one at once. */
  synchronized void open() {
    closed = false;
    endedNanos = System.nanoTime() - PAUSE.toNanos();
  }

  /** Returns the process if it reads. */
  synchronized Optional<ConsumerProcess> running() {
    return state() == State.RUNNING ? Optional.ofNullable(process) : Optional.empty();
  }

  synchronized void frozen(boolean isFrozen) {
    frozen = isFrozen;
  }

  synchronized TrialConsumer show() {
    State state = state();
    OptionalLong pid = process == null || state == State.ENDED
        ? OptionalLong.empty()
        : OptionalLong.of(process.pid());
    return new TrialConsumer(name, hapax, pid, state);
  }

  private State state() {
    if (process == null || !process.isAlive()) {
      return State.ENDED;
    } else if (frozen) {
      return State.FROZEN;
    }
    return process.reports().ready() ? State.RUNNING : State.STARTING;
  }
}
