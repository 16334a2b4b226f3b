package io.hapax.console.action;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.console.Marks;
import io.hapax.console.action.ActionResult.Planned;
import io.hapax.console.action.ActionResult.Started;
import io.hapax.console.job.Job;
import io.hapax.console.job.Jobs;
import io.hapax.console.kafka.OrderTopics;
import io.hapax.operations.text.Text;
import io.hapax.store.InMemoryDedupStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;

/** The store, the topics and the jobs of an action, and the plans of its dry runs. */
abstract class ActionFixture {

  final InMemoryDedupStore store = new InMemoryDedupStore();
  final Jobs jobs = new Jobs(InstantSource.system());
  final OrderTopics topics = new OrderTopics(Marks.CONSUMER);
  final List<Planned> plans = new ArrayList<>();

  @AfterEach
  void stop() {
    jobs.close();
  }

  /** Runs a dry run in a job to its end, and keeps its plan, if it has one. */
  Job dryRun(Action action, Map<String, List<String>> fields) throws Exception {
    return ended(action.plan(new Fields(fields), plan -> {
      plans.add(plan);
      return "plan";
    }));
  }

  static Job ended(ActionResult outcome) throws InterruptedException {
    Job job = ((Started) outcome).job();
    assertThat(job.endsWithin(Duration.ofMinutes(1))).isTrue();
    assertThat(job.view().error()).isEqualTo(Text.NONE);
    return job;
  }
}
