package io.hapax.console.action;

import io.hapax.console.job.Job;
import io.hapax.operations.redrive.RedriveResult;
import io.hapax.operations.redrive.RedriveSample;
import io.hapax.operations.redrive.StoredDeadLetter;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Predicate;

/** Collects the coordinates of the records that a redrive would publish. */
final class PlannedRecords extends PacedRun {

  private static final int MOST = 100_000;

  private final Predicate<StoredDeadLetter> selection;
  private final Set<String> coordinates = new LinkedHashSet<>();

  PlannedRecords(Job job, Predicate<StoredDeadLetter> selection) {
    super(job);
    this.selection = selection;
  }

  @Override
  public boolean selects(StoredDeadLetter record) {
    return selection.test(record);
  }

  @Override
  public void taken(RedriveSample sample) {
    super.taken(sample);
    if (sample.answer() instanceof RedriveResult.Published) {
      if (coordinates.size() == MOST) {
        throw new IllegalArgumentException("the dry run found more than " + MOST
            + " records to publish, which is the limit: select a group or single records");
      }
      coordinates.add(sample.coordinates());
    }
  }

  /** Returns the coordinates. Valid after the dry run. */
  Set<String> coordinates() {
    return Set.copyOf(coordinates);
  }
}
