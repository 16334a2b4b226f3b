package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.LaneGroup;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.adapter.Submission;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Lanes to which a submission is appended while an earlier transaction runs. */
class TransactionalLaneGroupTest extends TransactionFixture {

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch run = new CountDownLatch(1);

  private LaneGroup<String> lanes(boolean fails) {
    TransactionalHandler<String, String> handler =
        TransactionalHandler.forEach((transaction, delivery) -> {
          if (delivery.message().equals("a")) {
            begun.countDown();
            run.await();
            if (fails) {
              throw new IllegalStateException("no stock");
            }
          }
          effects.add(delivery.message());
        });
    return open(builder()
            .workers(4)
            .transactional(transactions((verb, items, call) -> call.go()), handler))
        .openLanes();
  }

  @Test
  void a_transaction_waits_for_earlier_ones_of_its_lanes_only() throws Exception {
    LaneGroup<String> lanes = lanes(false);
    Submission first = lanes.submit(lane("p0", "a"), (index, outcome) -> {});
    assertThat(begun.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    Submission second =
        lanes.submit(both(lane("p0", "b"), lane("p1", "x")), (index, outcome) -> {});
    Submission other = lanes.submit(lane("p2", "y"), (index, outcome) -> {});

    assertThat(other.await(PATIENCE)).isTrue();
    assertThat(effects).containsExactly("y");
    run.countDown();

    assertThat(first.await(PATIENCE)).isTrue();
    assertThat(second.await(PATIENCE)).isTrue();
    assertThat(effects).containsExactly("y", "a", "b", "x");
  }

  @Test
  void a_failure_blocks_later_messages_of_its_lane_only() throws Exception {
    LaneGroup<String> lanes = lanes(true);
    Submission first = lanes.submit(lane("p0", "a"), (index, outcome) -> {});
    assertThat(begun.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    Outcomes second = new Outcomes(2);
    Submission other = lanes.submit(both(lane("p0", "b"), lane("p1", "x")), second);
    run.countDown();

    assertThat(first.await(PATIENCE)).isTrue();
    assertThat(other.await(PATIENCE)).isTrue();
    assertThat(((Outcome.Deferred) second.seen.get(0).get(0)).reason()).isEqualTo(Reason.BLOCKED);
    assertThat(effects).containsExactly("x");
  }

  @Test
  void closed_lanes_end_what_waits_for_its_turn() throws Exception {
    LaneGroup<String> lanes = lanes(false);
    Submission first = lanes.submit(lane("p0", "a"), (index, outcome) -> {});
    assertThat(begun.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    Submission second = lanes.submit(lane("p0", "b"), (index, outcome) -> {});

    lanes.close();

    assertThat(second.await(PATIENCE)).isTrue();
    run.countDown();
    assertThat(first.await(PATIENCE)).isTrue();
    Awaitility.await().atMost(PATIENCE).until(() -> effects.equals(List.of("a")));
  }
}
