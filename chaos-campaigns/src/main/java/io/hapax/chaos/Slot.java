package io.hapax.chaos;

import io.hapax.console.trial.TrialConsumer;
import io.hapax.console.trial.TrialConsumer.State;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The place of one consumer. Its process is replaced some seconds after it has ended, unless the
 * place is closed. Thread-safe.
 */
final class Slot {

  /** The time between the end of a process and the start of the next one. */
  static final Duration PAUSE = Duration.ofSeconds(3);

  private final String name;
  private final boolean hapax;
  private final LiveProcess.Launcher launcher;
  private @Nullable LiveProcess process;
  private LiveCounts past = LiveCounts.NONE;
  private long endedNanos;
  private boolean frozen;
  private boolean closed;

  Slot(String name, boolean hapax, LiveProcess.Launcher launcher) {
    this.name = name;
    this.hapax = hapax;
    this.launcher = launcher;
    this.endedNanos = System.nanoTime() - PAUSE.toNanos();
  }

  String name() {
    return name;
  }

  boolean hapax() {
    return hapax;
  }

  /** Starts a process if the last one has ended long enough ago. */
  synchronized void supervise() throws IOException {
    LiveProcess last = process;
    if (last != null && !last.isAlive()) {
      past = past.plus(last.counts());
      process = null;
      frozen = false;
      endedNanos = System.nanoTime();
    }
    if (process == null && !closed && System.nanoTime() - endedNanos >= PAUSE.toNanos()) {
      process = launcher.start();
    }
  }

  /** Prevents further starts, and returns the process if there is one. */
  synchronized Optional<LiveProcess> close() {
    closed = true;
    return Optional.ofNullable(process);
  }

  /** Permits starts again, the next one at once. */
  synchronized void open() {
    closed = false;
    endedNanos = System.nanoTime() - PAUSE.toNanos();
  }

  /** Returns the process if it reads. */
  synchronized Optional<LiveProcess> running() {
    return state() == State.RUNNING ? Optional.ofNullable(process) : Optional.empty();
  }

  synchronized void frozen(boolean isFrozen) {
    frozen = isFrozen;
  }

  synchronized LiveCounts counts() {
    return process == null ? past : past.plus(process.counts());
  }

  synchronized TrialConsumer show() {
    State state = state();
    return new TrialConsumer(
        name,
        hapax,
        process == null || state == State.ENDED
            ? OptionalLong.empty()
            : OptionalLong.of(process.pid()),
        state);
  }

  private State state() {
    if (process == null || !process.isAlive()) {
      return State.ENDED;
    } else if (frozen) {
      return State.FROZEN;
    }
    return process.isReady() ? State.RUNNING : State.STARTING;
  }
}
