package io.hapax.internal.run;

import io.hapax.Delivery;
import io.hapax.OutcomeProbe.Answer;
import io.hapax.UnknownOutcomePolicy;
import io.hapax.health.Problem;
import io.hapax.internal.handler.HandlerFailure;
import io.hapax.internal.handler.UserCodeCalls;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Tasks;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Descriptions;
import io.hapax.internal.runtime.Threads;
import io.hapax.mark.ClaimAnswer.Acquired;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the user's probe with a timeout. A probe that fails or exceeds the timeout counts as the
 * answer "unknown". The number of concurrent calls is limited. The others wait without a limit,
 * because a missing answer would use up an attempt of their messages.
 */
public final class Probes<M> {

  private static final Logger LOG = LoggerFactory.getLogger(Probes.class);

  private static final Answer NO_ANSWER = Answer.unknown("no answer");
  private static final Answer ALL_HANG =
      Answer.unknown("all probes that may run at once are hanging");

  private static final class Asking<M> {
    final InFlightMessage<M> item;
    final Delivery<M> delivery;
    final Consumer<Answer> then;
    final AtomicBoolean answered = new AtomicBoolean();

    /** Whether its call has exceeded the timeout; written before the call ends, read after it. */
    volatile boolean hangs;

    Asking(InFlightMessage<M> item, Delivery<M> delivery, Consumer<Answer> then) {
      this.item = item;
      this.delivery = delivery;
      this.then = then;
    }

    boolean wanted() {
      return item.unfinished() && item.givenUpFor().isEmpty();
    }
  }

  private final Threads threads;
  private final Tasks<M> tasks;
  private final UserCodeCalls calls;
  private final Events events;
  private final UnknownOutcomePolicy.Probe<M> policy;
  private final Bulkhead<Asking<M>> turns;

  public Probes(
      UnknownOutcomePolicy.Probe<M> policy,
      int atOnce,
      Threads threads,
      Tasks<M> tasks,
      UserCodeCalls calls,
      Events events) {
    this.threads = threads;
    this.tasks = tasks;
    this.calls = calls;
    this.events = events;
    this.policy = policy;
    this.turns = new Bulkhead<>(atOnce);
  }

  Duration quiet() {
    return policy.settings().quiet();
  }

  /**
   * Calls the probe and passes on one answer: on another thread, or on the one that runs the user's
   * code for the message.
   */
  void ask(InFlightMessage<M> item, Acquired acquired, Consumer<Answer> then) {
    Asking<M> asking = new Asking<>(item, Deliveries.forProbe(item, acquired), then);
    if (item.batch.runsOnCallerThread()) { // it makes one call at a time, which needs no turn
      tasks.work(List.of(item), () -> answer(asking, callIfWanted(asking, () -> {})));
      return;
    }
    switch (turns.come(asking)) {
      case TURN -> threads.call(() -> takeTurn(asking));
      case SENT_AWAY -> sendAway(List.of(asking));
      case WAITS -> {}
    }
  }

  private void sendAway(List<Asking<M>> askings) {
    for (Asking<M> asking : askings) {
      threads.call(() -> answer(asking, ALL_HANG));
    }
  }

  private void takeTurn(Asking<M> asking) {
    Answer answer = NO_ANSWER;
    try {
      answer = callIfWanted(asking, () -> {
        asking.hangs = true;
        sendAway(turns.hangs());
      });
    } finally {
      turns.end(asking.hangs).ifPresent(next -> threads.call(() -> takeTurn(next)));
    }
    answer(asking, answer);
  }

  private Answer callIfWanted(Asking<M> asking, Runnable onTimeout) {
    return asking.wanted() ? call(asking, onTimeout) : NO_ANSWER;
  }

  private Answer call(Asking<M> asking, Runnable onTimeout) {
    Answer[] answer = {NO_ANSWER};
    Duration timeout = policy.settings().timeout();
    UserCodeCalls.Limit limit = new UserCodeCalls.Limit(timeout, () -> {
      onTimeout.run();
      answer(asking, Answer.unknown("the probe did not answer within " + timeout));
    });
    try {
      calls.run(
          () -> answer[0] = Objects.requireNonNull(policy.probe().ask(asking.delivery), "answer"),
          limit);
      return answer[0];
    } catch (HandlerFailure failure) {
      LOG.warn(
          "The probe for {} failed",
          asking.delivery.claim().key(),
          Descriptions.loggable(failure.reason()));
      return Answer.unknown("the probe failed: " + Descriptions.of(failure.reason()));
    }
  }

  /** Passes on the first answer. It is not reported if the message was given up before its turn. */
  private void answer(Asking<M> asking, Answer answer) {
    if (asking.answered.compareAndSet(false, true)) {
      if (asking.wanted()) {
        answered(asking.item, answer);
      }
      asking.then.accept(answer);
    }
  }

  private void answered(InFlightMessage<M> item, Answer answer) {
    if (answer instanceof Answer.Unknown unknown) {
      events.raise(Problem.Kind.PROBE, "probe: " + unknown.reason());
    } else {
      events.clear(Problem.Kind.PROBE);
    }
    events.notifyListeners(it -> it.onProbed(item.requiredKey(), answer));
  }

  /**
   * Limits the number of concurrent calls; the others wait in the order of arrival. While all calls
   * hang, others are rejected instead of waiting, because a hanging call may never end.
   */
  private static final class Bulkhead<T> {

    /** The place of a call that has arrived. */
    enum Place {
      /** It starts now, and its caller reports the end. */
      TURN,
      /** It waits until it is started or rejected. */
      WAITS,
      /** It is rejected, because all running calls hang. */
      SENT_AWAY
    }

    private final int atOnce;
    private final Queue<T> waiting = new ArrayDeque<>();
    private int taken;
    private int hanging;

    Bulkhead(int atOnce) {
      this.atOnce = atOnce;
    }

    synchronized Place come(T one) {
      if (taken < atOnce) {
        taken++;
        return Place.TURN;
      }
      if (hanging == atOnce) {
        return Place.SENT_AWAY;
      }
      waiting.add(one);
      return Place.WAITS;
    }

    /** Records that a running call hangs; returns the waiting calls that are rejected for it. */
    synchronized List<T> hangs() {
      hanging++;
      if (hanging < atOnce) {
        return List.of();
      }
      List<T> sentAway = List.copyOf(waiting);
      waiting.clear();
      return sentAway;
    }

    /** Records the end of a call; returns the call that starts now. */
    synchronized Optional<T> end(boolean hung) {
      if (hung) {
        hanging--;
      }
      Optional<T> next = Optional.ofNullable(waiting.poll());
      if (next.isEmpty()) {
        taken--;
      }
      return next;
    }
  }
}
