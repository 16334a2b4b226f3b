package io.hapax.console.view;

import io.hapax.operations.text.Text;
import java.time.Instant;

/**
 * A problem of a receiver.
 *
 * @param kind the kind of the problem
 * @param subject the partition, key or component that has the problem
 * @param since the time at which it began
 * @param text the description
 */
public record ProblemRow(String kind, String subject, Instant since, Text text) {}
