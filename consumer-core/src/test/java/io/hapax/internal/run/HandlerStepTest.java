package io.hapax.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.Delivery;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.errors.PartlyHandledException;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.TestMessages;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.mark.Bytes;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HandlerStepTest {

  private final TestSettings settings = new TestSettings();

  private static StepResult run(
      TestRunning running, HandlerStep<String> step, List<ClaimedMessage<String>> messages) {
    StepResult result = step.run(messages);
    running.threads.run();
    return result;
  }

  @Test
  void a_message_is_done_with_the_result_of_its_handler() {
    TestRunning running = new TestRunning(settings);
    ClaimedMessage<String> a = running.started("A");
    Bytes result = Bytes.utf8("result");

    StepResult end =
        run(running, HandlerStep.answering(running.parts, delivery -> result), List.of(a));

    assertThat(end).isEqualTo(StepResult.over(Optional.empty()));
    assertThat(a.item().outcome())
        .hasValue(new Outcome.Executed(a.acquired().claim().token(), 1, result));
  }

  @Test
  void a_batch_that_was_partly_handled_fails_from_there_on() {
    TestRunning running = new TestRunning(settings);
    List<ClaimedMessage<String>> batch = List.of(running.started("A"), running.started("B"));
    Exception cause = new IllegalStateException("no stock");
    HandlerStep<String> step = HandlerStep.batch(running.parts, deliveries -> {
      throw new PartlyHandledException(1, cause);
    });

    StepResult end = run(running, step, batch);

    assertThat(batch.get(0).item().outcome()).get().isInstanceOf(Outcome.Executed.class);
    Outcome.Deferred deferral = TestMessages.deferral(batch.get(1).item());
    assertThat(deferral.reason()).isEqualTo(Reason.RETRY);
    assertThat(deferral.detail()).isEqualTo(cause.toString());
    assertThat(end).isEqualTo(StepResult.over(Optional.of(deferral)));
  }

  @Test
  void the_handler_is_not_called_for_a_message_that_has_its_outcome() {
    TestRunning running = new TestRunning(settings);
    List<ClaimedMessage<String>> batch = List.of(running.started("A"), running.started("B"));
    HandlerStep<String> step = HandlerStep.batch(running.parts, deliveries -> {
      for (Delivery<String> delivery : deliveries) {
        running.handle(delivery);
      }
    });
    running.messages.outcomes.finish(batch.get(0).item(), Deferrals.FENCED);

    var unused = run(running, step, batch);

    assertThat(running.handled).containsExactly("B");
  }
}
