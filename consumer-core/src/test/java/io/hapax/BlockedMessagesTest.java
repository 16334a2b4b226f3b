package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.ReceiverPort.LaneGroup;
import io.hapax.adapter.Submission;
import io.hapax.health.Problem;
import io.hapax.internal.Engine;
import io.hapax.policy.MissingIdPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Problems of blocked messages that end without an outcome of their own. */
class BlockedMessagesTest extends FaultFixture {

  private static final Duration SOON = Duration.ofMillis(500);

  private volatile Runnable whenRead = () -> {};

  private IdempotentReceiver<String> receiverWithoutIds() {
    return open(builder()
        .id(text -> {
          whenRead.run();
          return Optional.empty();
        })
        .missingId(MissingIdPolicy.FAIL)
        .retry(new RetrySettings(3, SOON, SOON))
        .leased(marks, this::record));
  }

  @Test
  void its_problem_ends_although_it_was_given_up_at_that_moment() throws Exception {
    IdempotentReceiver<String> receiver = receiverWithoutIds();
    receiver.receive(both(lane("p0", "a"), lane("p1", "b")), PATIENCE);
    assertThat(receiver.problems()).hasSize(2);
    LaneGroup<String> lanes = receiver.port().openLanes();
    whenRead = lanes::close;

    Submission submission = lanes.submit(both(lane("p0", "a"), lane("p1", "b")), IGNORED);

    awaitAll(submission);
    eventually(() -> receiver.problems().isEmpty());
  }

  @Test
  void its_problem_ends_although_health_was_not_read_for_hours() throws Exception {
    AtomicLong slept = new AtomicLong();
    missingId = MissingIdPolicy.FAIL;
    Engine<String> engine =
        engine(STEADY, () -> System.nanoTime() + slept.get(), marks, delivery -> {});
    engine.receive(both(lane("p0", "?a"), lane("p1", "?b")), PATIENCE);
    assertThat(blocked(engine)).hasSize(2);

    slept.addAndGet(Duration.ofDays(1).toNanos());

    assertThat(blocked(engine)).isEmpty();
  }

  private static List<Problem> blocked(Engine<String> engine) {
    return engine.health().problems().stream()
        .filter(it -> it.kind() == Problem.Kind.MESSAGE_BLOCKED)
        .toList();
  }
}
