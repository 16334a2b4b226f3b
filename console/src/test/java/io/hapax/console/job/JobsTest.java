package io.hapax.console.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.console.operations.ReportJson;
import io.hapax.console.view.JobView;
import io.hapax.operations.text.Text;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which jobs are remembered, and how they end with the console. */
class JobsTest {

  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Job.Result NOTHING =
      new Job.Result(Text.NONE, new ReportJson(), Optional.empty());

  private final Jobs jobs = new Jobs(InstantSource.system());

  @AfterEach
  void stop() {
    jobs.close();
  }

  private Job start(Job.Work work) {
    return jobs.start("audit", Text.plain("orders"), "", work);
  }

  @Test
  void a_job_that_runs_is_not_forgotten_and_can_be_stopped() throws Exception {
    Job slow = start(job -> {
      job.stopsWithin(LONG);
      return NOTHING;
    });
    Job first = start(job -> NOTHING);
    assertThat(first.endsWithin(LONG)).isTrue();
    for (int i = 0; i < 40; i++) {
      assertThat(start(job -> NOTHING).endsWithin(LONG)).isTrue();
    }

    assertThat(jobs.list()).hasSize(30);
    assertThat(jobs.find(first.id())).as("it has ended").isEmpty();
    assertThat(jobs.find(slow.id())).contains(slow);
    slow.stop();
    assertThat(slow.endsWithin(LONG)).isTrue();
    assertThat(slow.view().state()).isEqualTo(JobView.State.STOPPED);
  }

  @Test
  void a_step_of_a_job_is_not_interrupted_when_the_console_closes() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch rest = new CountDownLatch(1);
    Job redrive = start(job -> {
      begun.countDown();
      rest.await(); // between the reopening of a mark and the publication of its message
      return NOTHING;
    });
    assertThat(begun.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();

    Thread closer = new Thread(jobs::close);
    closer.start();
    await().atMost(LONG).until(redrive::isStopped);
    boolean interrupted = redrive.endsWithin(Duration.ofMillis(300));
    rest.countDown();
    closer.join(LONG.toMillis());

    assertThat(interrupted).isFalse();
    assertThat(redrive.view().error()).isEqualTo(Text.NONE);
    assertThat(redrive.view().state()).isEqualTo(JobView.State.STOPPED);
  }
}
