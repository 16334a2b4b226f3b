package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.ReceiverPort.LaneGroup;
import io.hapax.adapter.Submission;
import io.hapax.internal.Engine;
import io.hapax.internal.SimulatedMachine;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.mark.Fingerprint;
import io.hapax.policy.MissingFingerprintPolicy;
import io.hapax.policy.MissingIdPolicy;
import io.hapax.policy.TooOldPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.junit.jupiter.api.Test;

/** A blocked message that is redelivered, while its submission is given up. */
class BlockedAlarmTest extends FaultFixture {

  private static final Duration SOON = Duration.ofMillis(500);

  private volatile Runnable whenCancelled = () -> {};

  /** Tells when the first alarm is cancelled. */
  private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1) {
    @Override
    public boolean remove(Runnable cancelled) {
      Runnable once = whenCancelled;
      whenCancelled = () -> {};
      once.run();
      return super.remove(cancelled);
    }
  };

  private Engine<String> engineWithoutIds() {
    timer.setRemoveOnCancelPolicy(true);
    EngineSettings<String> usual = engineSettings(STEADY);
    EngineSettings<String> settings = new EngineSettings<>(
        SCOPE,
        new EngineSettings.Reading<>(
            text -> Optional.empty(),
            MissingIdPolicy.FAIL,
            text -> Fingerprint.NONE,
            MissingFingerprintPolicy.DEAD_LETTER,
            Optional.empty(),
            TooOldPolicy.PROCESS),
        usual.lease(),
        new EngineSettings.Failing(new RetrySettings(3, SOON, SOON), error -> false),
        usual.running(),
        usual.answering(),
        usual.reporting());
    return opened(new SimulatedMachine(
            System::nanoTime,
            Executors.newCachedThreadPool(),
            Executors.newCachedThreadPool(),
            timer,
            () -> 0.5)
        .leased(settings, marks, delivery -> {}));
  }

  @Test
  void its_problem_ends_although_it_was_given_up_at_that_moment() throws Exception {
    Engine<String> engine = engineWithoutIds();
    engine.receive(both(lane("p0", "a"), lane("p1", "b")), PATIENCE);
    assertThat(engine.health().problems()).hasSize(2);
    LaneGroup<String> lanes = engine.openLanes();
    whenCancelled = lanes::close;

    Submission submission = lanes.submit(both(lane("p0", "a"), lane("p1", "b")), IGNORED);

    awaitAll(submission);
    eventually(() -> engine.health().problems().isEmpty());
  }
}
