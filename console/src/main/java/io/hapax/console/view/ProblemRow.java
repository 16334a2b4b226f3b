package io.hapax.console.view;

import java.time.Instant;

/**
 * A problem of a receiver.
 *
 * @param subject the partition, key or component that has the problem
 */
public record ProblemRow(String kind, String subject, Instant since, String text) {}
