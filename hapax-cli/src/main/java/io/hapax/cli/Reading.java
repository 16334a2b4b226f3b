package io.hapax.cli;

import io.hapax.IdExtractor;
import io.hapax.audit.AuditSettings;
import io.hapax.mark.Fingerprint;
import io.hapax.policy.MissingIdPolicy;
import java.util.function.Function;

/**
 * How a consumer reads its messages.
 *
 * @param consumer its name
 * @param id where a message's id is
 * @param format what keys and values are
 * @param comparesPayloads whether payloads are compared
 * @param missingIds what becomes of messages without an id
 * @param samples how many messages of each kind are named
 */
record Reading(
    String consumer,
    String id,
    Format format,
    boolean comparesPayloads,
    MissingIdPolicy missingIds,
    int samples) {

  private static final int NO_SAMPLES = 0;

  /** For a command that compares no message with its mark. */
  static Reading of(String consumer, String id, Format format) {
    return new Reading(consumer, id, format, false, MissingIdPolicy.DEAD_LETTER, NO_SAMPLES);
  }

  /** For a command that reads no message. */
  static Reading nothing(String consumer) {
    return of(consumer, "key", Format.BYTES);
  }

  <M> AuditSettings<M> settings(IdExtractor<M> ids, Function<M, Fingerprint> fingerprint) {
    return AuditSettings.of(
            consumer, ids, comparesPayloads ? fingerprint : message -> Fingerprint.NONE)
        .withMissingIds(missingIds)
        .withSamples(samples);
  }
}
