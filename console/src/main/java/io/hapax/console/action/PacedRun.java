package io.hapax.console.action;

import io.hapax.console.job.Job;
import io.hapax.operations.redrive.RedriveControl;
import io.hapax.operations.redrive.RedriveSample;
import io.hapax.operations.redrive.StoredDeadLetter;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Selects the records of a redrive, limits its rate, reports its progress to its job, and ends the
 * run between two records when the job is stopped.
 */
final class PacedRun implements RedriveControl {

  private final Job job;
  private final Predicate<StoredDeadLetter> selection;
  private final Duration between;
  private final long expected;
  private final Consumer<RedriveSample> results;
  private long done;

  /**
   * Creates a control of one run.
   *
   * @param between the time from one record to the next; zero without a rate limit
   * @param expected the number of records; negative if unknown
   */
  PacedRun(
      Job job,
      Predicate<StoredDeadLetter> selection,
      Duration between,
      long expected,
      Consumer<RedriveSample> results) {
    this.job = job;
    this.selection = selection;
    this.between = between;
    this.expected = expected;
    this.results = results;
  }

  @Override
  public boolean selects(StoredDeadLetter record) {
    return selection.test(record);
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
    results.accept(sample);
  }
}
