package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.policy.MissingIdPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A lane that keeps no order: a message that cannot run now delays no other. */
class UnorderedLaneTest extends LeasedFixture {

  private List<Outcome> receiveUnordered(ReceiverBuilder<String> builder, String... messages)
      throws InterruptedException {
    return open(builder.leased(store, this::fails))
        .receive(unordered("p0", messages), LONG_PATIENCE);
  }

  private void fails(Delivery<String> delivery) {
    if (delivery.message().startsWith("bad")) {
      throw new IllegalStateException("no stock");
    }
    effects.add(delivery.message());
  }

  @Test
  void a_message_behind_a_failing_message_runs() throws Exception {
    List<Outcome> outcomes = receiveUnordered(builder(), "a", "bad", "b", "bad2", "c");

    assertThat(effects).containsExactly("a", "b", "c");
    assertThat(reason(outcomes.get(1))).isEqualTo(Reason.RETRY);
    assertThat(reason(outcomes.get(3))).isEqualTo(Reason.RETRY);
    assertThat(outcomes.get(4)).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void a_message_behind_a_busy_message_runs() throws Exception {
    var unused = claimedElsewhere("busy", false, Duration.ofMinutes(5));

    List<Outcome> outcomes = receiveUnordered(builder(), "busy", "a");

    assertThat(effects).containsExactly("a");
    assertThat(reason(outcomes.get(0))).isEqualTo(Reason.BUSY);
  }

  @Test
  void a_message_behind_one_without_an_id_runs() throws Exception {
    List<Outcome> outcomes = receiveUnordered(builder().missingId(MissingIdPolicy.FAIL), "?", "a");

    assertThat(effects).containsExactly("a");
    assertThat(reason(outcomes.get(0))).isEqualTo(Reason.MISSING_ID);
  }

  @Test
  void messages_behind_a_failing_one_run_even_if_little_is_claimed_ahead() throws Exception {
    List<Outcome> outcomes = receiveUnordered(
        builder()
            .workers(1)
            .onUnknownOutcome(UnknownOutcomePolicy.probe(it -> OutcomeProbe.Answer.NOT_APPLIED)),
        "bad",
        "bad2",
        "a");

    assertThat(effects).containsExactly("a");
    assertThat(reason(outcomes.get(0))).isEqualTo(Reason.RETRY);
    assertThat(reason(outcomes.get(1))).isEqualTo(Reason.RETRY);
  }

  @Test
  void a_batch_handler_gets_the_messages_before_and_behind_a_busy_one() throws Exception {
    var unused = claimedElsewhere("busy", false, Duration.ofMinutes(5));
    List<List<String>> calls = new CopyOnWriteArrayList<>();

    List<Outcome> outcomes = open(builder()
            .leasedBatches(
                store,
                deliveries ->
                    calls.add(deliveries.stream().map(Delivery::message).toList())))
        .receive(unordered("p0", "a", "b", "busy", "c", "d"), LONG_PATIENCE);

    assertThat(calls).containsExactly(List.of("a", "b"), List.of("c", "d"));
    assertThat(reason(outcomes.get(2))).isEqualTo(Reason.BUSY);
  }
}
