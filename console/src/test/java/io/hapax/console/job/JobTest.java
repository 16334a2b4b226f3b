package io.hapax.console.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.console.operations.ReportJson;
import io.hapax.console.view.JobView;
import io.hapax.operations.text.Text;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How a job ends. */
class JobTest {

  private static final Job.Result NOTHING =
      new Job.Result(Text.NONE, new ReportJson(), Optional.empty());

  private final Job job = new Job("1", "redrive", Text.plain("orders.dead"), Instant.EPOCH, "");

  @Test
  void a_failing_listener_changes_neither_the_end_nor_what_others_hear() {
    List<JobView.State> heard = new ArrayList<>();
    job.whenEnded(it -> {
      throw new IllegalStateException("the disk is full");
    });
    job.whenEnded(it -> heard.add(it.view().state()));
    job.endedWith(NOTHING);

    assertThat(heard).containsExactly(JobView.State.ENDED);
    assertThat(job.view().state()).isEqualTo(JobView.State.ENDED);
    assertThat(job.result()).contains(NOTHING);
  }

  @Test
  void a_listener_that_comes_late_is_called_at_once_and_may_fail() {
    List<JobView.State> heard = new ArrayList<>();
    job.endedWith(NOTHING);
    job.whenEnded(it -> {
      heard.add(it.view().state());
      throw new IllegalStateException("the disk is full");
    });

    assertThat(heard).containsExactly(JobView.State.ENDED);
    assertThat(job.view().state()).isEqualTo(JobView.State.ENDED);
  }

  @Test
  void who_waits_for_the_end_finds_what_the_listeners_have_done() {
    List<Boolean> ended = new ArrayList<>();
    job.whenEnded(it -> ended.add(hasEnded()));

    job.endedWith(NOTHING);

    assertThat(ended).containsExactly(false);
    assertThat(hasEnded()).isTrue();
  }

  private boolean hasEnded() {
    try {
      return job.endsWithin(Duration.ZERO);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
