package io.hapax.internal.run;

import static io.hapax.internal.message.TestMessages.deferral;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.TestSettings;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LaneTest {

  private final TestSettings settings = new TestSettings();

  /** Claims messages, and runs them in a lane of their own. */
  private static List<InFlightMessage<String>> run(
      TestRunning running, boolean inOrder, String... texts) {
    List<InFlightMessage<String>> items = running.read(Stream.of(texts)
        .map(it -> new Incoming<>(it, "p0", inOrder, "p0@" + it, false, Incoming.NO_TIMESTAMP))
        .toList());
    Lane<String> lane = running.lanes().lane(items);
    running.claims.claimer.claim(
        items.stream().filter(running.messages.ids::heldBy).toList(), lane::openOnceAnswered);
    running.threads.run();
    return items;
  }

  @Test
  void messages_run_one_after_the_other() {
    TestRunning running = new TestRunning(settings);

    List<InFlightMessage<String>> items = run(running, true, "A", "B", "C");

    assertThat(running.handled).containsExactly("A", "B", "C");
    assertThat(items)
        .allSatisfy(it -> assertThat(it.outcome()).get().isInstanceOf(Outcome.Executed.class));
  }

  @Test
  void a_message_that_failed_stops_its_lane() {
    TestRunning running = new TestRunning(settings);
    running.errors.put("A", new IllegalStateException());

    List<InFlightMessage<String>> items = run(running, true, "A", "B");

    assertThat(running.handled).containsExactly("A");
    assertThat(deferral(items.get(0)).reason()).isEqualTo(Reason.RETRY);
    assertThat(deferral(items.get(1)).reason()).isEqualTo(Reason.BLOCKED);
    assertThat(running.messages.released).hasSize(1);
  }

  @Test
  void a_lane_without_order_continues_behind_a_message_that_failed() {
    TestRunning running = new TestRunning(settings);
    running.errors.put("A", new IllegalStateException());

    var unused = run(running, false, "A", "B");

    assertThat(running.handled).containsExactly("A", "B");
  }

  @Test
  void a_second_message_with_the_same_id_waits_for_the_first() {
    TestRunning running = new TestRunning(settings);

    List<InFlightMessage<String>> items = run(running, true, "A", "A", "B");

    assertThat(items.get(1).outcome()).hasValue(new Outcome.Duplicate());
    assertThat(running.handled).containsExactly("A", "B");
  }
}
