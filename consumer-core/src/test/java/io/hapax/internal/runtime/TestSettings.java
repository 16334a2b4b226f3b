package io.hapax.internal.runtime;

import io.hapax.DeadLetterPublisher;
import io.hapax.LeaseSettings;
import io.hapax.ReceiverListener;
import io.hapax.RetrySettings;
import io.hapax.UnknownOutcomePolicy;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import io.hapax.policy.ConflictPolicy;
import io.hapax.policy.MissingFingerprintPolicy;
import io.hapax.policy.MissingIdPolicy;
import io.hapax.policy.TooOldPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The settings of a consumer whose messages are texts: an id, and after {@code =} a payload. A text
 * that starts with {@code ?} has no id. A test sets the fields that it is about.
 */
public final class TestSettings {

  public static final String SCOPE = "orders";

  public RetrySettings retry = new RetrySettings(3, Duration.ofMinutes(1), Duration.ofMinutes(10));
  public Predicate<Throwable> notRetryable = error -> false;
  public UnknownOutcomePolicy<String> onUnknownOutcome = UnknownOutcomePolicy.rerun();
  public MissingIdPolicy missingIds = MissingIdPolicy.DEAD_LETTER;
  public MissingFingerprintPolicy missingFingerprints = MissingFingerprintPolicy.DEAD_LETTER;
  public Optional<ConflictPolicy<String>> conflicts = Optional.empty();
  public Optional<DeadLetterPublisher<String>> deadLetters = Optional.empty();
  public int resultLimit = 100;

  /** Returns how the messages are read. A text that ends with {@code !} has no fingerprint. */
  public EngineSettings.Reading<String> reading() {
    return new EngineSettings.Reading<>(
        text -> text.startsWith("?") ? Optional.empty() : Optional.of(Bytes.utf8(idOf(text))),
        missingIds,
        TestSettings::fingerprintOf,
        missingFingerprints,
        conflicts,
        TooOldPolicy.PROCESS);
  }

  private static String idOf(String text) {
    return text.split("=", 2)[0];
  }

  private static Fingerprint fingerprintOf(String text) {
    if (text.endsWith("!")) {
      throw new IllegalArgumentException("no fingerprint of " + text);
    }
    return Fingerprint.of(Bytes.utf8(text).toByteArray());
  }

  public EngineSettings<String> build() {
    return new EngineSettings<>(
        SCOPE,
        reading(),
        LeaseSettings.DEFAULT,
        new EngineSettings.Failing(retry, notRetryable),
        new EngineSettings.Running<>(2, Duration.ZERO, Optional.empty(), onUnknownOutcome),
        new EngineSettings.Answering<>(resultLimit, Optional.empty()),
        new EngineSettings.Reporting<>(deadLetters, ReceiverListener.NONE));
  }
}
