package io.hapax.internal;

import io.hapax.Delivery;
import io.hapax.OutcomeProbe.Answer;
import io.hapax.StalePolicy;
import io.hapax.mark.ClaimAnswer.Acquired;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls into the user's probe, each bounded in time whatever it does. One that fails, or is not
 * back in time, has answered that it does not know.
 */
final class Probes<M> {

  private static final Logger LOG = LoggerFactory.getLogger(Probes.class);

  private static final String TROUBLE = "probe";
  private static final Answer NO_ANSWER = Answer.unknown("no answer");
  private static final Answer ALL_HANG =
      Answer.unknown("as many probes hang as are allowed to run at once");

  private final Engine<M> engine;
  private final StalePolicy.Probe<M> policy;
  private final Semaphore free;

  Probes(Engine<M> engine, StalePolicy.Probe<M> policy, int atOnce) {
    this.engine = engine;
    this.policy = policy;
    this.free = new Semaphore(atOnce);
  }

  Duration quiet() {
    return policy.settings().quiet();
  }

  /** Asks, and hands on one answer, on another thread. */
  void ask(Item<M> item, Acquired acquired, Consumer<Answer> then) {
    Delivery<M> delivery = engine.delivery(item, acquired);
    AtomicBoolean answered = new AtomicBoolean();
    Consumer<Answer> once = answer -> {
      if (answered.compareAndSet(false, true)) {
        told(item, answer);
        then.accept(answer);
      }
    };
    Duration timeout = policy.settings().timeout();
    HandlerCalls.Limit limit = new HandlerCalls.Limit(
        timeout, () -> once.accept(Answer.unknown("the probe was not back within " + timeout)));
    engine.threads().call(() -> once.accept(free.tryAcquire() ? call(delivery, limit) : ALL_HANG));
  }

  private Answer call(Delivery<M> delivery, HandlerCalls.Limit limit) {
    Answer[] answer = {NO_ANSWER};
    try {
      engine
          .handlerCalls()
          .run(
              () -> answer[0] = Objects.requireNonNull(policy.probe().ask(delivery), "answer"),
              limit);
      return answer[0];
    } catch (HandlerFailure failure) {
      LOG.warn("The probe for {} failed", delivery.claim().key(), failure.reason());
      return Answer.unknown("the probe failed: " + Descriptions.of(failure.reason()));
    } finally {
      free.release();
    }
  }

  private void told(Item<M> item, Answer answer) {
    if (answer instanceof Answer.Unknown unknown) {
      engine.events().raise(TROUBLE, "probe: " + unknown.reason());
    } else {
      engine.events().clear(TROUBLE);
    }
    engine.events().tell(it -> it.onProbed(item.requiredKey(), answer));
  }
}
