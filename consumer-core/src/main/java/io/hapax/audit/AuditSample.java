package io.hapax.audit;

/**
 * One message to look at.
 *
 * @param finding what was found of it
 * @param id its id for a person, as {@link io.hapax.mark.Bytes#toString()} prints it; empty if it
 *     has none
 * @param coordinates where the broker keeps it
 * @param detail more about it: why it is dead, who holds it, what is wrong with its id; may be
 *     empty
 */
public record AuditSample(Finding finding, String id, String coordinates, String detail) {}
