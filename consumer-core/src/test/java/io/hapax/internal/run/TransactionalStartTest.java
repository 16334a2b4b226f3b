package io.hapax.internal.run;

import static io.hapax.internal.message.TestMessages.deferral;
import static io.hapax.internal.message.TestMessages.incoming;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.OpenLanes;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TransactionalStartTest {

  private final TestRunning running = new TestRunning(new TestSettings());
  private final TransactionalStart<String> start = new TransactionalStart<>(
      new EagerClaim<>(
          running.lanes(running.transactionStep()),
          running.claims.claimer,
          running.messages.ids,
          100),
      running.batches(),
      running.messages.outcomes,
      running.messages.tasks);
  private final OpenLanes lanes = new OpenLanes();

  @Test
  void only_messages_on_probation_are_claimed_before_their_transaction() {
    start.run(running.read(List.of(new Incoming<>("A", "p0", "p0@A", true), incoming("B", "p1"))));
    running.threads.run();

    assertThat(running.store.calls)
        .containsExactlyInAnyOrder("claim 1", "completeWith 1", "findDone 1", "runOnce 1");
    assertThat(running.store.effects).containsExactlyInAnyOrder("A", "B");
  }

  @Test
  void only_the_messages_of_a_lane_that_has_stopped_are_given_up() {
    running.errors.put("A", new IllegalStateException());
    List<InFlightMessage<String>> first = running.read(lanes, List.of(incoming("A", "p0")));
    List<InFlightMessage<String>> second =
        running.read(lanes, List.of(incoming("B", "p0"), incoming("C", "p1")));

    start.run(first);
    start.run(second);
    running.threads.run();

    assertThat(deferral(second.get(0)).reason()).isEqualTo(Reason.BLOCKED);
    assertThat(running.handled).containsExactly("A", "C");
  }

  @Test
  void a_submission_waits_until_its_turn_has_come_in_all_of_its_lanes() {
    running.store.commitErrors.add(new StoreException("connection lost"));
    start.run(running.read(lanes, List.of(incoming("A", "p0"))));
    start.run(running.read(lanes, List.of(incoming("C", "p1"), incoming("B", "p0"))));

    running.threads.run();
    assertThat(running.store.effects).isEmpty();
    running.threads.advance(Duration.ofSeconds(1));

    assertThat(running.store.effects).containsExactly("A", "C", "B");
  }
}
