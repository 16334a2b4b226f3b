package io.hapax.internal.run;

import io.hapax.InProcessRetry;
import io.hapax.errors.DeferredException;
import io.hapax.errors.NotAppliedException;
import io.hapax.internal.handler.FailedCall;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Backoff;
import io.hapax.internal.runtime.Descriptions;
import io.hapax.internal.settle.Failures;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether and when a failed call is retried under the same claim. It is not if this call or
 * an earlier attempt may have taken effect.
 */
public final class InProcessRetries<M> {

  private static final Logger LOG = LoggerFactory.getLogger(InProcessRetries.class);

  private final Events events;
  private final Failures<M> failures;
  private final Optional<InProcessRetry> settings;
  private final Optional<Backoff> waits;

  public InProcessRetries(
      Optional<InProcessRetry> settings,
      DoubleSupplier random,
      Events events,
      Failures<M> failures) {
    this.settings = settings;
    this.events = events;
    this.failures = failures;
    this.waits = settings.map(it -> Backoff.ofInProcessRetries(it, random));
  }

  /**
   * Returns the wait before the next call.
   *
   * @param call the failure of the latest call
   * @param calls the number of calls under the present claims
   * @return the wait; empty if there is no next call
   */
  Optional<Duration> waitFor(List<ClaimedMessage<M>> messages, FailedCall call, int calls) {
    if (settings.isEmpty()
        || messages.isEmpty()
        || calls > settings.get().maxRetries()
        || !(call.error() instanceof NotAppliedException)
        || call.error() instanceof DeferredException
        || !messages.stream().allMatch(InProcessRetries::mayRunAgain)
        || failures.hopeless(messages.get(0).item(), call.error())
        || !passing(settings.get(), call.error())) {
      return Optional.empty();
    }
    for (ClaimedMessage<M> it : messages) {
      events.retriedInProcess(it.item().requiredKey(), calls, call.error());
    }
    return waits.map(it -> it.after(calls));
  }

  private static boolean mayRunAgain(ClaimedMessage<?> it) {
    return !it.acquired().claim().attempt().inDoubt()
        && it.item().lease.renewable()
        && !it.item().incoming.handout().isSpent();
  }

  private static boolean passing(InProcessRetry settings, Throwable error) {
    try {
      return settings.transientErrors().test(error);
    } catch (RuntimeException | Error e) {
      LOG.warn(
          "transientErrors threw for {}, which is not retried in process",
          error.getClass(),
          Descriptions.loggable(e));
      return false;
    }
  }
}
