package io.hapax.internal.settle;

import io.hapax.DeadLetter.Kind;
import io.hapax.RetrySettings;
import io.hapax.UnknownOutcomePolicy;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.errors.DeferredException;
import io.hapax.errors.RejectedMessageException;
import io.hapax.internal.handler.ConversionErrors;
import io.hapax.internal.handler.FailedCall;
import io.hapax.internal.handler.UserCodeCalls;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.Backoff;
import io.hapax.internal.runtime.Descriptions;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what follows a failed attempt; nothing is settled as dead before its dead letter is
 * published.
 */
public final class Failures<M> {

  private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

  /** The mark does not keep what an earlier attempt failed of. */
  static final String USED_UP =
      "its attempts are used up: they failed, as the log says, or their owners vanished";

  private final RetrySettings settings;
  private final Predicate<Throwable> notRetryable;
  private final UnknownOutcomePolicy<M> policy;
  private final Backoff backoff;
  private final DeadLetters<M> deadLetters;
  private final MessageAges<M> ages;
  private final Settler<M> settler;
  private final UserCodeCalls calls;

  public Failures(
      EngineSettings<M> settings,
      DeadLetters<M> deadLetters,
      MessageAges<M> ages,
      Settler<M> settler,
      UserCodeCalls calls) {
    this.settings = settings.failing().retry();
    this.notRetryable = settings.failing().notRetryable();
    this.policy = settings.running().onUnknownOutcome();
    this.backoff = Backoff.ofRetries(this.settings);
    this.deadLetters = deadLetters;
    this.ages = ages;
    this.settler = settler;
    this.calls = calls;
  }

  /** How a claim of a message that failed, or that may not run any more, is to be settled. */
  public record Decision(Verdict verdict, Outcome outcome) {

    Optional<Deferred> deferral() {
      return outcome instanceof Deferred deferred ? Optional.of(deferred) : Optional.empty();
    }
  }

  public boolean exhausted(Acquired acquired) {
    return acquired.claim().attempt().number() > settings.maxAttempts();
  }

  /** The handler failed: settles the claim and tells whether the lane stops. */
  public Optional<Deferred> failed(InFlightMessage<M> item, Acquired acquired, FailedCall call) {
    return settle(item, decide(item, acquired, call));
  }

  /** Whether a message that was acquired must not run. */
  public boolean barred(InFlightMessage<M> item, Acquired acquired) {
    return ages.refuses(item, acquired) || exhausted(acquired);
  }

  /**
   * How the claim is to be settled without running the handler; empty if that may run.
   *
   * <p>The message may be too old to be judged, or it has used up its attempts, by failing or by
   * killing its owners.
   */
  public Optional<Decision> withoutRunning(InFlightMessage<M> item, Acquired acquired) {
    ages.tell(item, acquired);
    if (ages.refuses(item, acquired)) {
      return Optional.of(tooOld(item, acquired));
    }
    return exhausted(acquired)
        ? Optional.of(bury(item, acquired, Kind.ATTEMPTS_EXHAUSTED, USED_UP, false))
        : Optional.empty();
  }

  /** Settles the claim and tells whether the lane stops. */
  public Optional<Deferred> settle(InFlightMessage<M> item, Decision decision) {
    settler.settle(item, decision.verdict(), decision.outcome());
    return decision.deferral();
  }

  public Decision decide(InFlightMessage<M> item, Acquired acquired, FailedCall call) {
    int attempt = acquired.claim().attempt().number();
    String detail = Descriptions.of(call.error());
    if (call.error() instanceof DeferredException it && mayDefer(acquired, it)) {
      LOG.debug("{} is deferred by {}: {}", item.requiredKey(), it.after(), detail);
      return new Decision(
          new Verdict.Defer(it.after()), new Deferred(Reason.DEFERRED, it.after(), detail));
    }
    log(item, attempt, call.error(), detail);
    boolean inDoubt = call.inDoubt();
    if (inDoubt && policy instanceof UnknownOutcomePolicy.Bury) {
      return bury(item, acquired, Kind.IN_DOUBT, detail, true);
    }
    if (!call.shared() && hopeless(item, call.error())) {
      return bury(item, acquired, Kind.NOT_RETRYABLE, detail, inDoubt);
    }
    boolean toBeAsked = inDoubt && policy instanceof UnknownOutcomePolicy.Probe;
    if (attempt >= settings.maxAttempts() && !toBeAsked) {
      return bury(item, acquired, Kind.ATTEMPTS_EXHAUSTED, detail, inDoubt);
    }
    return retry(acquired, detail, inDoubt);
  }

  /** Returns whether the wait ends within the limit, which counts from the first deferral. */
  private boolean mayDefer(Acquired acquired, DeferredException deferral) {
    Duration total = acquired.claim().deferredFor().plus(deferral.after());
    return total.compareTo(settings.maxDeferral()) <= 0;
  }

  /** An error without a stack trace, as a wrapped listener's answer makes it, takes one line. */
  private void log(InFlightMessage<M> item, int attempt, Throwable error, String detail) {
    String at = item.incoming.coordinates();
    if (Descriptions.hasStackTrace(error)) {
      LOG.warn(
          "{} at {} failed in attempt {} of {}",
          item.requiredKey(),
          at,
          attempt,
          settings.maxAttempts(),
          Descriptions.loggable(error));
    } else {
      LOG.warn(
          "{} at {} failed in attempt {} of {}: {}",
          item.requiredKey(),
          at,
          attempt,
          settings.maxAttempts(),
          detail);
    }
  }

  /**
   * Returns whether no further attempt can succeed after this error. An error of converting says
   * nothing if the call was interrupted: the interrupt may be its cause.
   */
  public boolean hopeless(InFlightMessage<M> item, Throwable error) {
    try {
      return error instanceof RejectedMessageException
          || (!interrupted(item) && ConversionErrors.include(error))
          || notRetryable.test(error);
    } catch (RuntimeException | Error e) {
      LOG.warn(
          "notRetryable threw at {}, which may be tried again",
          error.getClass(),
          Descriptions.loggable(e));
      return false;
    }
  }

  private boolean interrupted(InFlightMessage<M> item) {
    return item.lease.forsaken() || calls.interruptedAll();
  }

  /** Nobody can tell whether an earlier attempt took effect. */
  public Decision unknown(InFlightMessage<M> item, Acquired acquired, String detail) {
    return exhausted(acquired)
        ? bury(item, acquired, Kind.IN_DOUBT, detail, true)
        : retry(acquired, detail, true);
  }

  private Decision retry(Acquired acquired, String detail, boolean inDoubt) {
    Duration wait = backoff.after(acquired.claim().attempt().number());
    return new Decision(new Verdict.Retry(wait, inDoubt), new Deferred(Reason.RETRY, wait, detail));
  }

  /** A message that is refused by the dead-letter target keeps its mark, with its doubt if any. */
  public Decision bury(
      InFlightMessage<M> item, Acquired acquired, Kind kind, String detail, boolean inDoubt) {
    int attempts = Math.min(acquired.claim().attempt().number(), settings.maxAttempts());
    boolean doubt = inDoubt || acquired.claim().attempt().inDoubt();
    String reason = doubt ? "in doubt: " + detail : detail;
    Optional<Deferred> refused = deadLetters.publish(item, attempts, kind, detail, doubt);
    return refused
        .map(deferred ->
            new Decision(new Verdict.Retry(deferred.after(), inDoubt), (Outcome) deferred))
        .orElseGet(() -> new Decision(new Verdict.Dead(reason), new Outcome.DeadLettered(reason)));
  }

  /** If its record is refused its attempt is given back, so that it is judged again like this. */
  private Decision tooOld(InFlightMessage<M> item, Acquired acquired) {
    boolean doubt = acquired.claim().attempt().inDoubt();
    String detail = ages.detail(item, acquired);
    return deadLetters
        .publish(item, acquired.claim().attempt().number() - 1, Kind.TOO_OLD, detail, doubt)
        .map(refused -> new Decision(new Verdict.Release(), refused))
        .orElseGet(() -> new Decision(new Verdict.Dead(detail), new Outcome.DeadLettered(detail)));
  }
}
