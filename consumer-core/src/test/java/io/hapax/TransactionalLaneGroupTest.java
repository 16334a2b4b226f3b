package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.adapter.ReceiverPort.LaneGroup;
import io.hapax.adapter.Submission;
import io.hapax.internal.Engine;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Transactional mode: submissions while an earlier transaction, or a claim, is under way. */
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

  private final AtomicInteger claims = new AtomicInteger();
  private final CountDownLatch releaseFirst = new CountDownLatch(1);
  private final CountDownLatch releaseOthers = new CountDownLatch(1);
  private volatile boolean holds;

  @AfterEach
  void letGo() {
    releaseFirst.countDown();
    releaseOthers.countDown();
  }

  private static List<Incoming<String>> onProbation(String message) {
    return List.of(new Incoming<>(message, message, message + "@0", true));
  }

  private void awaitClaims(int count) {
    eventually(() -> claims.get() == count);
  }

  @Test
  void a_batch_does_not_wait_for_the_claims_of_other_submissions() throws Exception {
    CountedCallers callers = new CountedCallers();
    Engine<String> engine = opened(machine(callers)
        .transactional(
            engineSettings(LeaseSettings.DEFAULT),
            transactions((verb, items, call) -> {
              if (verb.equals("claim") && holds) {
                (claims.incrementAndGet() == 1 ? releaseFirst : releaseOthers).await();
              }
              return call.go();
            }),
            (transaction, deliveries) -> deliveries.forEach(this::record)));
    engine.receive(onProbation("before"), PATIENCE);
    holds = true;
    engine.submit(both(onProbation("claimed"), lane("p0", "unclaimed")), IGNORED);
    awaitClaims(1);
    engine.submit(onProbation("second"), IGNORED);
    awaitClaims(2);
    engine.submit(onProbation("third"), IGNORED);
    eventually(() -> callers.underway() == 2);

    releaseFirst.countDown();

    awaitClaims(3);
    eventually(() -> effects.contains("unclaimed"));
    assertThat(effects).doesNotContain("second", "third");
  }
}
