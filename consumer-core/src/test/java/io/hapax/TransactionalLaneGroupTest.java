package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.adapter.ReceiverPort.LaneGroup;
import io.hapax.adapter.Submission;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lanes to which a submission is appended while an earlier transaction runs. */
class TransactionalLaneGroupTest extends TransactionFixture {

  private final Gate begun = new Gate();

  private LaneGroup<String> lanes(boolean fails) {
    TransactionalHandler<String, String> handler =
        TransactionalHandler.forEach((transaction, delivery) -> {
          if (delivery.message().equals("a")) {
            begun.pass();
            if (fails) {
              throw new IllegalStateException("no stock");
            }
          }
          effects.add(delivery.message());
        });
    return open(builder()
            .workers(4)
            .transactional(transactions((verb, items, call) -> call.go()), handler))
        .port()
        .openLanes();
  }

  @Test
  void a_transaction_waits_for_earlier_ones_of_its_lanes_only() throws Exception {
    LaneGroup<String> lanes = lanes(false);
    Submission first = lanes.submit(lane("p0", "a"), IGNORED);
    begun.awaitReached();
    Submission second = lanes.submit(both(lane("p0", "b"), lane("p1", "x")), IGNORED);
    Submission other = lanes.submit(lane("p2", "y"), IGNORED);

    awaitAll(other);
    assertThat(effects).containsExactly("y");
    begun.open();

    awaitAll(first, second);
    assertThat(effects).containsExactly("y", "a", "b", "x");
  }

  @Test
  void a_failure_blocks_later_messages_of_its_lane_only() throws Exception {
    LaneGroup<String> lanes = lanes(true);
    Submission first = lanes.submit(lane("p0", "a"), IGNORED);
    begun.awaitReached();
    Outcomes second = new Outcomes(2);
    Submission other = lanes.submit(both(lane("p0", "b"), lane("p1", "x")), second);
    begun.open();

    awaitAll(first, other);
    assertThat(((Outcome.Deferred) second.seen.get(0).get(0)).reason()).isEqualTo(Reason.BLOCKED);
    assertThat(effects).containsExactly("x");
  }

  @Test
  void closed_lanes_end_what_waits_for_its_turn() throws Exception {
    LaneGroup<String> lanes = lanes(false);
    Submission first = lanes.submit(lane("p0", "a"), IGNORED);
    begun.awaitReached();
    Submission second = lanes.submit(lane("p0", "b"), IGNORED);

    lanes.close();

    awaitAll(second);
    begun.open();
    awaitAll(first);
    eventually(() -> effects.equals(List.of("a")));
  }
}
