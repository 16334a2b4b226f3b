package io.hapax.internal.run;

import static io.hapax.internal.message.TestMessages.incoming;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.OpenLanes;
import io.hapax.internal.runtime.TestSettings;
import java.util.List;
import org.junit.jupiter.api.Test;

class EagerClaimTest {

  private final TestRunning running = new TestRunning(new TestSettings());
  private final EagerClaim<String> eager =
      new EagerClaim<>(running.lanes(), running.claims.claimer, running.messages.ids, 2);
  private final OpenLanes lanes = new OpenLanes();

  @Test
  void the_messages_of_all_lanes_are_claimed_in_one_call() {
    eager.run(running.read(List.of(incoming("A", "p0"), incoming("B", "p1"), incoming("C", "p0"))));
    running.threads.run();

    assertThat(running.store.calls).startsWith("claim 3");
    assertThat(running.handled).containsExactlyInAnyOrder("A", "B", "C");
  }

  @Test
  void a_message_that_follows_another_with_its_id_is_not_claimed() {
    eager.run(running.read(List.of(incoming("A", "p0"), incoming("A", "p1"))));
    running.threads.run();

    assertThat(running.store.calls).startsWith("claim 1");
    assertThat(running.handled).containsExactly("A");
  }

  @Test
  void claims_ahead_of_their_turn_wait_for_the_limit() {
    List<InFlightMessage<String>> first =
        running.read(lanes, List.of(incoming("A", "p0"), incoming("B", "p0")));
    List<InFlightMessage<String>> ahead = running.read(lanes, List.of(incoming("C", "p0")));
    List<InFlightMessage<String>> other = running.read(lanes, List.of(incoming("D", "p1")));

    eager.run(first);
    eager.run(ahead);
    eager.run(other);

    assertThat(first).allMatch(InFlightMessage::asking);
    assertThat(ahead).noneMatch(InFlightMessage::asking);
    assertThat(other).as("at its turn").allMatch(InFlightMessage::asking);
    running.threads.run();
    assertThat(running.handled).containsExactlyInAnyOrder("A", "B", "C", "D");
  }
}
