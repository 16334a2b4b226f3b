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
import io.hapax.internal.message.BlockedMessages;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.RememberedMessages;
import io.hapax.internal.runtime.Backoff;
import io.hapax.internal.runtime.Descriptions;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.internal.settle.DeadLetters.Letter;
import io.hapax.mark.Verdict;
import io.hapax.store.BrokenTransactionException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what follows a failed attempt. A claim is settled as DEAD only after the broker has
 * acknowledged the dead-letter record.
 */
public final class Failures<M> {

  private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

  /** The mark does not store the error of an earlier attempt, so that this text cannot name it. */
  static final String USED_UP =
      "its attempts are used up: they failed, see the log, or their owners died";

  /** The broker would drop the message if this attempt failed like the one before. */
  static final String LAST_DELIVERY =
      "the broker delivers it for the last time, and an earlier attempt failed or its owner died";

  private final RetrySettings settings;
  private final Predicate<Throwable> notRetryable;
  private final UnknownOutcomePolicy<M> policy;
  private final Backoff backoff;
  private final DeadLetters<M> deadLetters;
  private final MessageAges<M> ages;
  private final Settler<M> settler;
  private final UserCodeCalls calls;
  private final BlockedMessages blocked;

  /**
   * Why messages are to be dead-lettered whose objects a handler may have changed. A dead letter
   * must hold what was sent, so the next delivery is published. A process that does not remember a
   * message runs its next attempt instead.
   */
  private final RememberedMessages<Letter> postponed = new RememberedMessages<>(1_000);

  public Failures(
      EngineSettings<M> settings,
      DeadLetters<M> deadLetters,
      MessageAges<M> ages,
      Settler<M> settler,
      UserCodeCalls calls,
      BlockedMessages blocked) {
    this.settings = settings.failing().retry();
    this.notRetryable = settings.failing().notRetryable();
    this.policy = settings.running().onUnknownOutcome();
    this.backoff = Backoff.ofRetries(this.settings);
    this.deadLetters = deadLetters;
    this.ages = ages;
    this.settler = settler;
    this.calls = calls;
    this.blocked = blocked;
  }

  /** Holds the settlement and the outcome of a message that failed or may not run any more. */
  public record Decision(Verdict verdict, Outcome outcome) {

    Optional<Deferred> deferral() {
      return outcome instanceof Deferred deferred ? Optional.of(deferred) : Optional.empty();
    }
  }

  public UnknownOutcomePolicy<M> onUnknownOutcome() {
    return policy;
  }

  public boolean exhausted(ClaimedMessage<M> claimed) {
    return claimed.attempt().number() > settings.maxAttempts();
  }

  /** Settles the claim of a failed message; returns the deferral that stops its lane, if any. */
  public Optional<Deferred> failed(ClaimedMessage<M> claimed, FailedCall call) {
    return settle(claimed.message(), decide(claimed, call));
  }

  /** Returns whether the message must not run; {@link #withoutRunning} says why. */
  public boolean barred(ClaimedMessage<M> claimed) {
    return ages.refuses(claimed)
        || exhausted(claimed)
        || postponed(claimed).isPresent()
        || failedBeforeLastDelivery(claimed);
  }

  /** Reports the age of a message that runs, if it is older than the dedup window. */
  public void reportAge(ClaimedMessage<M> claimed) {
    ages.report(claimed);
  }

  /** Returns the postponed letter; after the loss of its mark its attempts begin anew: it runs. */
  private Optional<Letter> postponed(ClaimedMessage<M> claimed) {
    return postponed.isEmpty()
        ? Optional.empty()
        : postponed.get(claimed.message()).filter(it -> claimed.attempt().number() > it.attempts());
  }

  /**
   * Returns whether this delivery is the last one, and an earlier attempt was lost. A loss that
   * several messages shared counts no attempt, so a message that never ran alone may run.
   */
  private static boolean failedBeforeLastDelivery(ClaimedMessage<?> claimed) {
    return claimed.message().incoming.lastDelivery() && claimed.attempt().number() > 1;
  }

  /**
   * Returns how to settle the claim of a message that must not run; empty if it may run.
   *
   * <p>Such a message is older than the dedup window, or it has used up its attempts because they
   * failed or because their owners died, or its last delivery follows such an attempt. Or it failed
   * for good in an earlier delivery, and a handler may have changed the object of that one.
   */
  public Optional<Decision> withoutRunning(ClaimedMessage<M> claimed) {
    ages.report(claimed);
    Optional<Letter> letter = postponed(claimed);
    if (letter.isPresent()) {
      postponed.remove(claimed.message());
      return Optional.of(publish(claimed.message(), letter.get()));
    }
    if (ages.refuses(claimed)) {
      return Optional.of(tooOld(claimed));
    }
    if (exhausted(claimed)) {
      return Optional.of(bury(claimed, Kind.ATTEMPTS_EXHAUSTED, USED_UP, false));
    }
    return failedBeforeLastDelivery(claimed)
        ? Optional.of(bury(claimed, Kind.ATTEMPTS_EXHAUSTED, LAST_DELIVERY, false))
        : Optional.empty();
  }

  /** Settles the claim; returns the deferral that stops the message's lane, if any. */
  public Optional<Deferred> settle(InFlightMessage<M> message, Decision decision) {
    settler.settle(message, decision.verdict(), decision.outcome());
    return decision.deferral();
  }

  public Decision decide(ClaimedMessage<M> claimed, FailedCall call) {
    InFlightMessage<M> message = claimed.message();
    int attempt = claimed.attempt().number();
    String detail = Descriptions.of(call.error());
    boolean last = message.incoming.lastDelivery();
    if (call.error() instanceof DeferredException it && mayDefer(claimed, it) && !last) {
      LOG.debug("{} is deferred by {}: {}", message.requiredKey(), it.after(), detail);
      return new Decision(
          new Verdict.Defer(it.after()), new Deferred(Reason.DEFERRED, it.after(), detail));
    }
    log(message, attempt, call.error(), detail);
    boolean inDoubt = call.inDoubt();
    Optional<Throwable> error = Optional.of(call.error());
    if (inDoubt && policy instanceof UnknownOutcomePolicy.Bury) {
      return bury(claimed, Kind.IN_DOUBT, detail, true, error);
    }
    if (!call.shared() && hopeless(message, call.error())) {
      return bury(claimed, Kind.NOT_RETRYABLE, detail, inDoubt, error);
    }
    boolean probed = inDoubt && policy instanceof UnknownOutcomePolicy.Probe;
    boolean atEnd = attempt >= settings.maxAttempts() || (last && !call.shared());
    if (atEnd && !probed) {
      return bury(claimed, Kind.ATTEMPTS_EXHAUSTED, detail, inDoubt, error);
    }
    if (inDoubt && call.error() instanceof BrokenTransactionException) {
      String at = message.incoming.coordinates();
      blocked.block(message, at + ": " + detail, backoff.after(attempt));
    }
    return retry(claimed, detail, inDoubt);
  }

  /** Returns whether the wait ends within the limit, which counts from the first deferral. */
  private boolean mayDefer(ClaimedMessage<M> claimed, DeferredException deferral) {
    Duration left = settings.maxDeferral().minus(claimed.acquired().claim().deferredFor());
    return deferral.after().compareTo(left) <= 0;
  }

  /** Logs the failure; an error without a stack trace takes one line. */
  private void log(InFlightMessage<M> message, int attempt, Throwable error, String detail) {
    String at = message.incoming.coordinates();
    String count = settings.maxAttempts() == Integer.MAX_VALUE
        ? Integer.toString(attempt)
        : attempt + " of " + settings.maxAttempts();
    if (Descriptions.hasStackTrace(error)) {
      LOG.warn(
          "{} at {} failed in attempt {}",
          message.requiredKey(),
          at,
          count,
          Descriptions.loggable(error));
    } else {
      LOG.warn("{} at {} failed in attempt {}: {}", message.requiredKey(), at, count, detail);
    }
  }

  /**
   * Returns whether no further attempt can succeed after this error. A conversion error in an
   * interrupted call does not count, because the interrupt may be its cause.
   */
  private boolean hopeless(InFlightMessage<M> message, Throwable error) {
    try {
      return error instanceof RejectedMessageException
          || (!interrupted(message) && ConversionErrors.include(error))
          || notRetryable.test(error);
    } catch (RuntimeException | Error e) {
      LOG.warn(
          "notRetryable threw for {}, which may be retried",
          error.getClass(),
          Descriptions.loggable(e));
      return false;
    }
  }

  private boolean interrupted(InFlightMessage<M> message) {
    return message.lease.renewalStopped() || calls.interrupted();
  }

  /** Decides what follows if it remains unknown whether an earlier attempt took effect. */
  public Decision unknown(ClaimedMessage<M> claimed, String detail) {
    return exhausted(claimed)
        ? bury(claimed, Kind.IN_DOUBT, detail, true)
        : retry(claimed, detail, true);
  }

  private Decision retry(ClaimedMessage<M> claimed, String detail, boolean inDoubt) {
    Duration wait = backoff.after(claimed.attempt().number());
    return new Decision(new Verdict.Retry(wait, inDoubt), new Deferred(Reason.RETRY, wait, detail));
  }

  /** Publishes the dead-letter record of a message that no error of this process led to. */
  public Decision bury(ClaimedMessage<M> claimed, Kind kind, String detail, boolean inDoubt) {
    return bury(claimed, kind, detail, inDoubt, Optional.empty());
  }

  /**
   * Publishes the dead-letter record. If the publisher fails, the message keeps its mark, which may
   * be in doubt, for a retry.
   */
  public Decision bury(
      ClaimedMessage<M> claimed,
      Kind kind,
      String detail,
      boolean inDoubt,
      Optional<Throwable> error) {
    InFlightMessage<M> message = claimed.message();
    int attempts = Math.min(claimed.attempt().number(), settings.maxAttempts());
    boolean doubt = inDoubt || claimed.attempt().inDoubt();
    Letter letter = new Letter(attempts, kind, detail, doubt, error);
    if (!message.incoming.handout().isSpent() || message.incoming.lastDelivery()) {
      return publish(message, letter);
    }
    postponed.put(message, letter);
    return new Decision(
        new Verdict.Retry(Duration.ZERO, doubt),
        new Deferred(
            Reason.RETRY, Duration.ZERO, detail + "; dead-lettered when it is redelivered"));
  }

  private Decision publish(InFlightMessage<M> message, Letter letter) {
    Optional<Deferred> refused = deadLetters.publish(message, letter);
    String reason = letter.inDoubt() ? "in doubt: " + letter.detail() : letter.detail();
    return refused
        .map(deferred ->
            new Decision(new Verdict.Retry(deferred.after(), letter.inDoubt()), (Outcome) deferred))
        .orElseGet(() -> new Decision(new Verdict.Dead(reason), new Outcome.DeadLettered(reason)));
  }

  /** Publishes the dead-letter record. If the publisher fails, the attempt is given back. */
  private Decision tooOld(ClaimedMessage<M> claimed) {
    boolean doubt = claimed.attempt().inDoubt();
    int attempts = claimed.attempt().number() - 1;
    String detail = ages.detail(claimed);
    Letter letter = new Letter(attempts, Kind.TOO_OLD, detail, doubt, Optional.empty());
    return deadLetters
        .publish(claimed.message(), letter)
        .map(refused -> new Decision(new Verdict.Release(), refused))
        .orElseGet(() -> new Decision(new Verdict.Dead(detail), new Outcome.DeadLettered(detail)));
  }
}
