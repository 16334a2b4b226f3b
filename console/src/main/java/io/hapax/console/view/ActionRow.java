package io.hapax.console.view;

import java.time.Instant;

/**
 * A line of the action log.
 *
 * @param at the time
 * @param user the user
 * @param action the action
 * @param subject the message, group or consumer of the action
 * @param dryRun whether it changed nothing
 * @param result the result
 */
public record ActionRow(
    Instant at, String user, String action, String subject, boolean dryRun, String result) {}
