package io.hapax.internal.runtime;

import io.hapax.DeadLetterPublisher;
import io.hapax.DuplicateHandler;
import io.hapax.IdExtractor;
import io.hapax.LeaseSettings;
import io.hapax.ReceiverListener;
import io.hapax.RetrySettings;
import io.hapax.StaleMarkSettings;
import io.hapax.UnknownOutcomePolicy;
import io.hapax.adapter.ReceiverPort;
import io.hapax.mark.ConsumerScope;
import io.hapax.mark.Fingerprint;
import io.hapax.policy.ConflictPolicy;
import io.hapax.policy.MissingFingerprintPolicy;
import io.hapax.policy.MissingIdPolicy;
import io.hapax.policy.TooOldPolicy;
import io.hapax.setting.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import java.util.function.Predicate;

/** The checked settings of a receiver; {@code scope} is the consumer's name. */
public record EngineSettings<M>(
    String scope,
    Reading<M> reading,
    LeaseSettings lease,
    Failing failing,
    Running<M> running,
    Answering<M> answering,
    Reporting<M> reporting) {

  private static final Duration SHORTEST_DEFERRAL = Duration.ofMinutes(1);

  /** Configures how a message is read, and the policies for messages without id or fingerprint. */
  public record Reading<M>(
      IdExtractor<M> ids,
      MissingIdPolicy missingIds,
      Function<M, Fingerprint> fingerprint,
      MissingFingerprintPolicy missingFingerprints,
      Optional<ConflictPolicy<M>> conflicts,
      TooOldPolicy tooOld) {}

  public record Failing(RetrySettings retry, Predicate<Throwable> notRetryable) {}

  public record Running<M>(
      int workers,
      Optional<ThreadFactory> workerThreads,
      Duration drainTimeout,
      Optional<Duration> handlerTimeout,
      UnknownOutcomePolicy<M> onUnknownOutcome,
      int claimWindow) {

    /** Two polls of a Kafka consumer: one runs while the other is claimed. */
    public static final int CLAIM_WINDOW = 1000;

    public Running {
      if (claimWindow < 1) {
        throw new IllegalArgumentException(
            "claimWindow is " + claimWindow + " messages but must be at least 1");
      }
      if (workers < 1 || workers > 1000) {
        throw new IllegalArgumentException("workers is " + workers + " but must be 1 to 1000");
      }
      drainTimeout = Durations.limit("drainTimeout", drainTimeout);
      handlerTimeout.ifPresent(it -> Durations.positive("handlerTimeout", it));
    }

    Duration probing() {
      return onUnknownOutcome instanceof UnknownOutcomePolicy.Probe<M> probe
          ? probe.settings().quiet().plus(probe.settings().timeout())
          : Duration.ZERO;
    }
  }

  public record Answering<M>(int resultLimit, Optional<DuplicateHandler<M>> duplicates) {

    private static final int MAX_RESULT_LIMIT = 64 * 1024;

    public Answering {
      if (resultLimit < 0 || resultLimit > MAX_RESULT_LIMIT) {
        throw new IllegalArgumentException("resultLimit is " + resultLimit
            + " bytes but must be 0 to " + MAX_RESULT_LIMIT
            + ": each mark may store a result of this size");
      }
    }
  }

  /** Configures the dead-letter publisher, the listeners and the count of stale marks. */
  public record Reporting<M>(
      Optional<DeadLetterPublisher<M>> deadLetters,
      Duration deadLetterTimeout,
      List<ReceiverListener> listeners,
      Optional<StaleMarkSettings> staleMarks) {

    public static final Duration DEAD_LETTER_TIMEOUT = Duration.ofMinutes(1);

    public Reporting {
      Durations.positive("deadLetterTimeout", deadLetterTimeout);
      listeners = listeners.stream().filter(it -> it != ReceiverListener.NONE).toList();
    }
  }

  public EngineSettings {
    new ConsumerScope(scope, 0); // throws if the name is invalid
  }

  /** Returns what adapters compare with the settings of their broker. */
  public ReceiverPort.Settings forAdapters(
      boolean transactional, boolean handlesBatches, Duration retention) {
    return new ReceiverPort.Settings(
        transactional,
        handlesBatches,
        lease.lease(),
        failing.retry().maxAttempts(),
        running.handlerTimeout(),
        running.probing(),
        retention,
        reading.missingIds() == MissingIdPolicy.COORDINATES);
  }

  /** Refuses settings with which a failed batch would dead-letter messages that did not fail. */
  public void checkBatchHandler() {
    if (failing.retry().maxAttempts() == 1) {
      throw new IllegalArgumentException("maxAttempts of retry is 1 but must be at least 2 for a"
          + " batch handler in leased mode: a failed call uses an attempt of each of its messages, and"
          + " only the next attempt, which runs each message alone, shows which of them fails");
    }
  }

  /** Refuses settings under which a message could run without the check in the broker. */
  public void checkBrokerTransactions() {
    if (failing.retry().maxDeferral().compareTo(SHORTEST_DEFERRAL) < 0) {
      throw new IllegalArgumentException(
          "maxDeferral of retry is " + failing.retry().maxDeferral()
              + " but must be at least " + SHORTEST_DEFERRAL + " with a transaction of the broker:"
              + " a record is deferred when the transaction of its poll was aborted");
    }
    if (!(running.onUnknownOutcome() instanceof UnknownOutcomePolicy.Rerun)) {
      throw new IllegalArgumentException("onUnknownOutcome is not rerun() but must be with a"
          + " transaction of the broker: the broker knows whether that transaction was committed");
    }
  }

  /** Refuses settings that are useless or harmful in transactional mode. */
  public void checkTransactionalMode() {
    if (!(running.onUnknownOutcome() instanceof UnknownOutcomePolicy.Rerun)) {
      throw new IllegalArgumentException(
          "onUnknownOutcome is not rerun() but must be in transactional"
              + " mode: a rolled back attempt has no effect, so that no message is ever in doubt");
    }
  }
}
