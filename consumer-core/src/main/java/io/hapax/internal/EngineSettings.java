package io.hapax.internal;

import io.hapax.DeadLetterPublisher;
import io.hapax.IdExtractor;
import io.hapax.LeaseSettings;
import io.hapax.ReceiverListener;
import io.hapax.RetrySettings;
import io.hapax.StalePolicy;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** Everything a receiver was told, checked. */
public record EngineSettings<M>(
    String scope,
    Reading<M> reading,
    LeaseSettings lease,
    RetrySettings retry,
    Running<M> running,
    Reporting<M> reporting) {

  /** How a message is read. */
  public record Reading<M>(IdExtractor<M> ids, Function<M, Fingerprint> fingerprint) {}

  /** How handlers are run. */
  public record Running<M>(int workers, Duration drainTimeout, StalePolicy<M> stalePolicy) {

    public Running {
      if (workers < 1 || workers > 1000) {
        throw new IllegalArgumentException("workers is " + workers + " but must be 1 to 1000");
      }
      if (drainTimeout.isNegative()) {
        throw new IllegalArgumentException(
            "drainTimeout is " + drainTimeout + " but must not be negative");
      }
    }
  }

  /** Who hears of what happens. */
  public record Reporting<M>(
      Optional<DeadLetterPublisher<M>> deadLetters, ReceiverListener listener) {}

  public EngineSettings {
    MessageKey.of(scope, Bytes.utf8("probe")); // throws if the consumer's name is no scope
  }
}
