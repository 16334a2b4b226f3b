package io.hapax.operations.audit;

import io.hapax.IdExtractor;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.policy.MissingIdPolicy;
import java.util.function.Function;

/**
 * The consumer to audit, and how it identifies its messages. The values must be the same as in the
 * consumer's receiver: with another id extractor the audit would find no marks.
 *
 * @param consumer the consumer's name
 * @param ids how it finds a message's id
 * @param fingerprint how it compares payloads
 * @param missingIds what it does with a message without an id; only
 *     {@link MissingIdPolicy#COORDINATES} makes a difference here
 * @param samples how many messages of each kind the report lists; 0 to 10,000
 * @param <M> the broker's message
 */
public record AuditSettings<M>(
    String consumer,
    IdExtractor<M> ids,
    Function<M, Fingerprint> fingerprint,
    MissingIdPolicy missingIds,
    int samples) {

  private static final int SAMPLES = 10;
  private static final int MAX_SAMPLES = 10_000;

  /**
   * Checks the rules above.
   *
   * @param consumer a consumer's name
   * @param ids how it finds a message's id
   * @param fingerprint how it compares payloads
   * @param missingIds what it does with a message without an id
   * @param samples 0 to 10,000
   */
  public AuditSettings {
    var unused = MessageKey.of(consumer, "probe"); // throws if it is not a valid scope
    if (samples < 0 || samples > MAX_SAMPLES) {
      throw new IllegalArgumentException(
          "samples is " + samples + " but must be 0 to " + MAX_SAMPLES);
    }
  }

  /**
   * {@return the default settings, which the methods below change}
   *
   * @param consumer the consumer's name
   * @param ids how it finds a message's id
   * @param fingerprint how it compares payloads
   * @param <M> the broker's message
   */
  public static <M> AuditSettings<M> of(
      String consumer, IdExtractor<M> ids, Function<M, Fingerprint> fingerprint) {
    return new AuditSettings<>(consumer, ids, fingerprint, MissingIdPolicy.DEAD_LETTER, SAMPLES);
  }

  /**
   * {@return settings with another policy for messages without an id}
   *
   * @param policy the receiver's policy
   */
  public AuditSettings<M> withMissingIds(MissingIdPolicy policy) {
    return new AuditSettings<>(consumer, ids, fingerprint, policy, samples);
  }

  /**
   * {@return settings with another number of samples}
   *
   * @param count the number of samples of each kind
   */
  public AuditSettings<M> withSamples(int count) {
    return new AuditSettings<>(consumer, ids, fingerprint, missingIds, count);
  }
}
