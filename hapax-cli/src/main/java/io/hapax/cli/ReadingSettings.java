package io.hapax.cli;

import io.hapax.IdExtractor;
import io.hapax.mark.Fingerprint;
import io.hapax.operations.audit.AuditSettings;
import io.hapax.policy.MissingIdPolicy;
import java.util.function.Function;

/** The settings of a consumer that decide how its messages are read. */
record ReadingSettings(
    String consumer,
    String id,
    Format format,
    boolean comparesPayloads,
    MissingIdPolicy missingIds,
    int samples) {

  private static final int NO_SAMPLES = 0;

  /** Before the place of an id that identifies a message within its topic. */
  private static final String WITHIN_TOPIC = "topic/";

  /** Returns the settings for a command that compares no message with its mark. */
  static ReadingSettings of(String consumer, String id, Format format) {
    return new ReadingSettings(
        consumer, id, format, false, MissingIdPolicy.DEAD_LETTER, NO_SAMPLES);
  }

  /** Returns the settings for a command that reads no message. */
  static ReadingSettings nothing(String consumer) {
    return of(consumer, "key", Format.BYTES);
  }

  /** Returns the extractor of the ids, which is {@code at} a place in the message. */
  <M> IdExtractor<M> ids(Function<String, IdExtractor<M>> at, Function<M, String> topic) {
    return id.startsWith(WITHIN_TOPIC)
        ? IdExtractor.within(topic, at.apply(id.substring(WITHIN_TOPIC.length())))
        : at.apply(id);
  }

  <M> AuditSettings<M> settings(IdExtractor<M> ids, Function<M, Fingerprint> fingerprint) {
    return AuditSettings.of(
            consumer, ids, comparesPayloads ? fingerprint : message -> Fingerprint.NONE)
        .withMissingIds(missingIds)
        .withSamples(samples);
  }
}
