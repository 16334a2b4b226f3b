package io.hapax.internal.run;

import static io.hapax.internal.message.TestMessages.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.TestMessages;
import io.hapax.internal.run.BatchPlan.Turn;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchPlanTest {

  private static final ClaimAnswer BUSY = new ClaimAnswer.Busy(Duration.ofSeconds(9));
  private static final ClaimAnswer DONE = new ClaimAnswer.Done(Bytes.EMPTY, Instant.EPOCH, false);

  private final TestMessages messages = new TestMessages();
  private final List<InFlightMessage<String>> lane = messages.read("A", "B");
  private final ClaimAnswer a = TestMessages.acquired(lane.get(0), FIRST);
  private final ClaimAnswer b = TestMessages.acquired(lane.get(1), FIRST);

  private BatchPlan<String> plan(ClaimAnswer first, ClaimAnswer second) {
    return new BatchPlan<>(lane, List.of(first, second), (message, acquired) -> false);
  }

  private static List<Turn> turns(BatchPlan<String> plan) {
    return plan.places().stream().map(BatchPlan.Place::turn).toList();
  }

  @Test
  void acquired_messages_run() {
    BatchPlan<String> plan = plan(a, b);

    assertThat(turns(plan)).containsExactly(Turn.RUNS, Turn.RUNS);
    assertThat(plan.outOfTurn()).isFalse();
    assertThat(plan.others()).isEmpty();
  }

  @Test
  void an_acquired_message_behind_a_busy_one_is_out_of_turn() {
    BatchPlan<String> plan = plan(BUSY, b);

    assertThat(turns(plan)).containsExactly(Turn.STANDS, Turn.BEHIND);
    assertThat(plan.outOfTurn()).isTrue();
    assertThat(plan.running()).isEmpty();
  }

  @Test
  void a_duplicate_does_not_stop_its_lane() {
    BatchPlan<String> plan = plan(DONE, b);

    assertThat(turns(plan)).containsExactly(Turn.STANDS, Turn.RUNS);
    assertThat(plan.outOfTurn()).isFalse();
  }

  @Test
  void a_message_whose_attempts_are_used_up_must_not_commit() {
    BatchPlan<String> plan =
        new BatchPlan<>(lane, List.of(a, b), (message, acquired) -> message == lane.get(1));

    assertThat(turns(plan)).containsExactly(Turn.RUNS, Turn.BARRED);
    assertThat(plan.outOfTurn()).isTrue();
  }
}
