package io.hapax.console.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.adapter.deadletter.DeadLetterMetadata;
import io.hapax.console.job.Job;
import io.hapax.console.job.Jobs;
import io.hapax.console.operations.ReportJson;
import io.hapax.operations.redrive.RedriveResult;
import io.hapax.operations.redrive.RedriveSample;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How many records a dry run remembers. */
class PlannedRecordsTest {

  private static final int MOST = 100_000;

  private final Jobs jobs = new Jobs(InstantSource.system());
  private final Job job = jobs.start(
      "redrive",
      "orders.dead",
      Map.of(),
      it -> new Job.Result("", new ReportJson(), Optional.empty()));
  private final PlannedRecords records = new PlannedRecords(job, record -> true);

  @AfterEach
  void stop() {
    jobs.close();
  }

  private void taken(int number, RedriveResult answer) {
    DeadLetterMetadata metadata = DeadLetterMetadata.read(name -> Optional.empty());
    records.taken(new RedriveSample("", "dead-0@" + number, Optional.empty(), metadata, answer));
  }

  @Test
  void more_than_100000_records_to_publish_are_refused() {
    for (int i = 0; i < MOST; i++) {
      taken(i, new RedriveResult.Published());
    }
    taken(MOST, new RedriveResult.Refused("it is not published"));

    assertThat(records.coordinates()).hasSize(MOST);
    assertThatThrownBy(() -> taken(MOST, new RedriveResult.Published()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "the dry run found more than 100000 records to publish, which is the limit");
  }
}
