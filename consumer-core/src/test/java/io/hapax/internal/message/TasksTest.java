package io.hapax.internal.message;

import static io.hapax.internal.message.TestMessages.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome.Reason;
import io.hapax.health.Problem;
import java.util.List;
import org.junit.jupiter.api.Test;

class TasksTest {

  private final TestMessages messages = new TestMessages();
  private final InFlightMessage<String> waiting = messages.claimed("A", FIRST);
  private final InFlightMessage<String> started = messages.claimed("B", FIRST);
  private final InFlightMessage<String> settling = messages.claimed("C", FIRST);

  private void fail() {
    started.start();
    settling.start();
    settling.settling();
    messages.tasks.work(List.of(waiting, started, settling), () -> {
      throw new IllegalStateException("unexpected");
    });
    messages.threads.run();
  }

  @Test
  void work_that_throws_defers_its_messages() {
    fail();

    assertThat(List.of(waiting, started))
        .allMatch(it -> TestMessages.deferral(it).reason() == Reason.INTERNAL_ERROR);
    assertThat(messages.problems()).contains(Problem.Kind.INTERNAL_ERROR);
  }

  @Test
  void only_the_claim_of_a_message_that_has_not_started_is_given_back() {
    fail();

    assertThat(messages.released).hasSize(1);
  }

  @Test
  void a_message_that_is_being_settled_is_left_to_its_settlement() {
    fail();

    assertThat(settling.unfinished()).isTrue();
  }
}
