package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.ReceiverPort.LaneGroup;
import io.hapax.adapter.Submission;
import io.hapax.health.Problem;
import io.hapax.internal.Engine;
import io.hapax.internal.run.HandlerStep.Handler;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.internal.runtime.Platform;
import io.hapax.mark.Fingerprint;
import io.hapax.policy.MissingFingerprintPolicy;
import io.hapax.policy.MissingIdPolicy;
import io.hapax.policy.TooOldPolicy;
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
    EngineSettings<String> usual = engineSettings(STEADY);
    Engine<String> engine = opened(Engine.leased(
        new EngineSettings<>(
            SCOPE,
            new EngineSettings.Reading<>(
                text -> Optional.empty(),
                MissingIdPolicy.FAIL,
                text -> Fingerprint.NONE,
                MissingFingerprintPolicy.DEAD_LETTER,
                Optional.empty(),
                TooOldPolicy.PROCESS),
            usual.lease(),
            usual.failing(),
            usual.running(),
            usual.answering(),
            usual.reporting()),
        marks,
        Handler.single(delivery -> {}),
        Platform.with(() -> System.nanoTime() + slept.get())));
    engine.receive(both(lane("p0", "a"), lane("p1", "b")), PATIENCE);
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
