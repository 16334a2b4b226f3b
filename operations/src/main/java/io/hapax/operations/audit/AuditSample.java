package io.hapax.operations.audit;

import io.hapax.operations.text.Text;

/**
 * One message of an audit's report.
 *
 * @param finding its state
 * @param id its id, as {@link io.hapax.mark.Bytes#toString()} prints it; empty if it has none
 * @param coordinates where the broker keeps it
 * @param detail more about it: why it is dead, which owner holds it, what is wrong with its id; may
 *     be empty
 */
public record AuditSample(Finding finding, String id, String coordinates, Text detail) {}
