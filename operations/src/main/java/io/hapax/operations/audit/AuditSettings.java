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
 * @param lookups how marks are looked up
 * @param samples how many messages of each kind the report lists; 0 to 10,000
 * @param <M> the broker's message
 */
public record AuditSettings<M>(
    String consumer,
    IdExtractor<M> ids,
    Function<M, Fingerprint> fingerprint,
    MissingIdPolicy missingIds,
    Lookups lookups,
    int samples) {

  private static final int SAMPLES = 10;
  private static final int MAX_SAMPLES = 10_000;

  /**
   * How marks are looked up while the audit reads on.
   *
   * @param batch how many marks per call of the store; 1 to 10,000
   * @param atOnce how many calls at a time; 1 to 100
   */
  public record Lookups(int batch, int atOnce) {

    /** A thousand marks per call, and four calls at a time. */
    public static final Lookups DEFAULT = new Lookups(1000, 4);

    /**
     * Checks the rules above.
     *
     * @param batch 1 to 10,000
     * @param atOnce 1 to 100
     */
    public Lookups {
      requireWithin("batch", batch, 1, 10_000);
      requireWithin("atOnce", atOnce, 1, 100);
    }
  }

  /**
   * Checks the rules above.
   *
   * @param consumer a consumer's name
   * @param ids how it finds a message's id
   * @param fingerprint how it compares payloads
   * @param missingIds what it does with a message without an id
   * @param lookups how marks are looked up
   * @param samples 0 to 10,000
   */
  public AuditSettings {
    var unused = MessageKey.of(consumer, "probe"); // throws if it is not a valid scope
    requireWithin("samples", samples, 0, MAX_SAMPLES);
  }

  private static void requireWithin(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + " is " + value + " but must be " + least + " to " + most);
    }
  }

  /**
   * Returns the default settings.
   *
   * @param consumer the consumer's name
   * @param ids how it finds a message's id
   * @param fingerprint how it compares payloads
   * @param <M> the broker's message
   * @return the settings, which the methods below change
   */
  public static <M> AuditSettings<M> of(
      String consumer, IdExtractor<M> ids, Function<M, Fingerprint> fingerprint) {
    return new AuditSettings<>(
        consumer, ids, fingerprint, MissingIdPolicy.DEAD_LETTER, Lookups.DEFAULT, SAMPLES);
  }

  /**
   * Returns settings with another policy for messages without an id.
   *
   * @param policy the receiver's policy
   * @return a copy
   */
  public AuditSettings<M> withMissingIds(MissingIdPolicy policy) {
    return new AuditSettings<>(consumer, ids, fingerprint, policy, lookups, samples);
  }

  /**
   * Returns settings with other look-ups.
   *
   * @param other how marks are looked up
   * @return a copy
   */
  public AuditSettings<M> withLookups(Lookups other) {
    return new AuditSettings<>(consumer, ids, fingerprint, missingIds, other, samples);
  }

  /**
   * Returns settings with another number of samples.
   *
   * @param count the number of samples of each kind
   * @return a copy
   */
  public AuditSettings<M> withSamples(int count) {
    return new AuditSettings<>(consumer, ids, fingerprint, missingIds, lookups, count);
  }
}
