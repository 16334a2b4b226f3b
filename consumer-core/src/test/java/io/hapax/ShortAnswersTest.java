package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Submission;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A store whose answer breaks off in the middle. */
class ShortAnswersTest extends FaultFixture {

  @Test
  @DisplayName(
      "invariants 1 and 9: a message that is finished stays finished when its claim is sent again")
  void an_answer_that_breaks_off_gives_no_message_two_outcomes() throws Exception {
    open(builder().leased(marks, delivery -> {})).receive(lane("p0", "known"), PATIENCE);
    AtomicBoolean armed = new AtomicBoolean(true);
    Fault fault = (verb, items, call) -> {
      Object answers = call.go();
      return verb.equals("claim") && items.size() == 2 && armed.getAndSet(false)
          ? ((List<?>) answers).subList(0, 1)
          : answers;
    };
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch running = new CountDownLatch(1);
    IdempotentReceiver<String> receiver = open(builder().leased(faulty(fault), delivery -> {
      running.countDown();
      go.await();
    }));
    Outcomes outcomes = new Outcomes(2);

    Submission submission = receiver.submit(lane("p0", "known", "running"), outcomes);
    running.await();
    boolean finishedWhileRunning = submission.await(java.time.Duration.ZERO);
    go.countDown();
    submission.await(PATIENCE);

    assertThat(outcomes.seen.get(0)).as("outcomes of the known message").hasSize(1);
    assertThat(finishedWhileRunning)
        .as("all outcomes stand while a handler runs")
        .isFalse();
  }
}
