package io.hapax.internal.run;

import io.hapax.Delivery;
import io.hapax.OutcomeProbe.Answer;
import io.hapax.UnknownOutcomePolicy;
import io.hapax.health.Problem;
import io.hapax.internal.handler.HandlerFailure;
import io.hapax.internal.handler.UserCodeCalls;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Tasks;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Descriptions;
import io.hapax.internal.runtime.Environment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the user's probe with a timeout. A probe that fails or exceeds the timeout counts as the
 * answer "unknown". A bulkhead limits the number of concurrent calls. The others wait in the order
 * of arrival, without a timeout, because a missing answer would use up an attempt of their
 * messages. While all running calls hang, the others are rejected, because a hanging call may never
 * end.
 */
public final class Probes<M> {

  private static final Logger LOG = LoggerFactory.getLogger(Probes.class);

  private static final Answer NO_ANSWER = Answer.unknown("no answer");
  private static final Answer ALL_HANG =
      Answer.unknown("all probes that may run at once are hanging");

  private final UnknownOutcomePolicy.Probe<M> policy;
  private final int limit;
  private final Environment env;
  private final Tasks<M> tasks;
  private final UserCodeCalls calls;
  private final Events events;
  private final Queue<Probing> waiting = new ArrayDeque<>();
  private final Set<Probing> running = new HashSet<>();

  public Probes(
      UnknownOutcomePolicy.Probe<M> policy,
      int limit,
      Environment env,
      Tasks<M> tasks,
      UserCodeCalls calls,
      Events events) {
    this.policy = policy;
    this.limit = limit;
    this.env = env;
    this.tasks = tasks;
    this.calls = calls;
    this.events = events;
  }

  /**
   * Calls the probe for a claimed message and passes on the final answer: on another thread, or on
   * the one that runs the user's code for the message.
   */
  void ask(InFlightMessage<M> message, Consumer<Answer> then) {
    new Probing(message, then).ask();
  }

  private synchronized void add(Probing arrived) {
    waiting.add(arrived);
  }

  private synchronized void remove(Probing ended) {
    running.remove(ended);
  }

  private void startNext() {
    for (Optional<Runnable> next = takeNext(); next.isPresent(); next = takeNext()) {
      env.call(next.get());
    }
  }

  /** Removes the call whose turn has come from the queue; returns its start or its rejection. */
  private synchronized Optional<Runnable> takeNext() {
    boolean full = running.size() == limit;
    if (waiting.isEmpty() || (full && !running.stream().allMatch(it -> it.hangs))) {
      return Optional.empty();
    }
    Probing next = waiting.remove();
    if (full) {
      return Optional.of(() -> next.answer(ALL_HANG));
    }
    running.add(next);
    return Optional.of(next::run);
  }

  /**
   * One message in doubt under its claim. The first call is immediate, because most effects have
   * happened. If the answer is "not applied", a second call follows after the quiet period. That
   * period begins with the present claim, because the end of the earlier owner's lease is unknown.
   */
  private final class Probing {

    private final InFlightMessage<M> message;
    private final Consumer<Answer> then;
    private final long quietEnd = env.nanos() + policy.settings().quiet().toNanos();
    private long asked;

    /** Whether a call has exceeded the timeout, which answers it. */
    private volatile boolean hangs;

    Probing(InFlightMessage<M> message, Consumer<Answer> then) {
      this.message = message;
      this.then = then;
    }

    void ask() {
      asked = env.nanos();
      if (message.submission.runsOnCallerThread()) { // one call at a time, which needs no turn
        tasks.work(List.of(message), this::run);
      } else {
        add(this);
        startNext();
      }
    }

    private boolean wanted() {
      return message.unfinished() && message.givenUpFor().isEmpty();
    }

    private void run() {
      Answer answer;
      try {
        answer = wanted() ? call() : NO_ANSWER;
      } finally {
        remove(this);
        startNext();
      }
      if (!hangs) {
        answer(answer);
      }
    }

    private Answer call() {
      UserCodeCalls.Limit limit =
          new UserCodeCalls.Limit(policy.settings().timeout(), this::timedOut);
      try {
        return calls.run(
            () -> Objects.requireNonNull(policy.probe().ask(delivery()), "answer"),
            Optional.of(limit),
            false);
      } catch (HandlerFailure failure) {
        LOG.warn(
            "The probe for {} failed",
            message.requiredKey(),
            Descriptions.loggable(failure.reason()));
        return Answer.unknown("the probe failed: " + Descriptions.of(failure.reason()));
      }
    }

    private Delivery<M> delivery() {
      return new ClaimedMessage<>(message, message.acquired().orElseThrow()).unchanged();
    }

    private void timedOut() {
      hangs = true;
      startNext();
      answer(
          Answer.unknown("the probe did not answer within " + policy.settings().timeout()));
    }

    private void answer(Answer answer) {
      if (wanted()) {
        report(answer);
      }
      long tooEarly = quietEnd - asked;
      if (answer instanceof Answer.NotApplied && tooEarly > 0 && message.unfinished()) {
        tasks.callLater(List.of(message), this::ask, Duration.ofNanos(tooEarly));
      } else {
        then.accept(answer);
      }
    }

    private void report(Answer answer) {
      if (answer instanceof Answer.Unknown unknown) {
        events.raise(Problem.Kind.PROBE, "probe: " + unknown.reason());
      } else {
        events.clear(Problem.Kind.PROBE);
      }
      events.notifyListeners(it -> it.onProbed(message.requiredKey(), answer));
    }
  }
}
