package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.ReceiverPort.LaneGroup;
import io.hapax.adapter.Submission;
import io.hapax.policy.MissingIdPolicy;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A blocked message that is redelivered, while its submission is given up. */
class BlockedAlarmTest extends FaultFixture {

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
}
