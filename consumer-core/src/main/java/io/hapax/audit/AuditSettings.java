package io.hapax.audit;

import io.hapax.IdExtractor;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.policy.MissingIdPolicy;
import java.util.function.Function;

/**
 * Whose marks are looked at, and how that consumer tells its messages apart. All of it has to be as
 * its receiver was told; with another id extractor nothing would be found.
 *
 * @param consumer the consumer's name
 * @param ids how it finds a message's id
 * @param fingerprint how it tells payloads apart
 * @param missingIds what it does with a message without an id: only
 *     {@link MissingIdPolicy#COORDINATES} makes a difference here
 * @param lookups how marks are looked up
 * @param samples how many messages of each kind are named; 0 to 10,000
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
   * How marks are looked up, while reading goes on.
   *
   * @param batch how many with one call to the store; 1 to 10,000
   * @param atOnce how many calls at once; 1 to 100
   */
  public record Lookups(int batch, int atOnce) {

    /** A thousand with a call, and four calls at once. */
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
   * @param fingerprint how it tells payloads apart
   * @param missingIds what it does with a message without an id
   * @param lookups how marks are looked up
   * @param samples 0 to 10,000
   */
  public AuditSettings {
    var unused = MessageKey.of(consumer, "probe"); // throws if it is no scope
    requireWithin("samples", samples, 0, MAX_SAMPLES);
  }

  private static void requireWithin(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + " is " + value + " but must be " + least + " to " + most);
    }
  }

  /**
   * The usual settings.
   *
   * @param consumer the consumer's name
   * @param ids how it finds a message's id
   * @param fingerprint how it tells payloads apart
   * @param <M> the broker's message
   * @return settings to be changed by the methods below
   */
  public static <M> AuditSettings<M> of(
      String consumer, IdExtractor<M> ids, Function<M, Fingerprint> fingerprint) {
    return new AuditSettings<>(
        consumer, ids, fingerprint, MissingIdPolicy.DEAD_LETTER, Lookups.DEFAULT, SAMPLES);
  }

  /**
   * With another policy for messages without an id.
   *
   * @param policy the receiver's
   * @return a copy
   */
  public AuditSettings<M> withMissingIds(MissingIdPolicy policy) {
    return new AuditSettings<>(consumer, ids, fingerprint, policy, lookups, samples);
  }

  /**
   * With other look-ups.
   *
   * @param other how marks are looked up
   * @return a copy
   */
  public AuditSettings<M> withLookups(Lookups other) {
    return new AuditSettings<>(consumer, ids, fingerprint, missingIds, other, samples);
  }

  /**
   * With more samples, or fewer.
   *
   * @param count how many of each kind
   * @return a copy
   */
  public AuditSettings<M> withSamples(int count) {
    return new AuditSettings<>(consumer, ids, fingerprint, missingIds, lookups, count);
  }
}
