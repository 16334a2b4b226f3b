package io.hapax.console.action;

import io.hapax.console.job.Job;
import io.hapax.operations.redrive.RedriveControl;
import io.hapax.operations.redrive.RedriveSample;
import io.hapax.operations.redrive.StoredDeadLetter;
import java.time.Duration;

/**
 * Limits the rate of a redrive, reports its progress to its job, and ends the run between two
 * records when the job is stopped.
 */
class PacedRun implements RedriveControl {

  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final Job job;
  private final Duration between;
  private final long expected;
  private long done;

  /** Creates a control without a rate limit. */
  PacedRun(Job job) {
    this(job, Duration.ZERO, -1);
  }

  /** Creates a control that permits at most {@code rate} records a second. */
  PacedRun(Job job, int rate, long expected) {
    this(job, Duration.ofNanos(NANOS_PER_SECOND / rate), expected);
  }

  private PacedRun(Job job, Duration between, long expected) {
    this.job = job;
    this.between = between;
    this.expected = expected;
  }

  @Override
  public boolean mayTake(StoredDeadLetter record) {
    try {
      return !job.stopsWithin(done == 0 ? Duration.ZERO : between);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void taken(RedriveSample sample) {
    done++;
    job.reached(done, expected);
  }
}
