package io.hapax.console.view;

import java.time.Instant;

/** A line of the action log. */
public record ActionRow(
    Instant at, String user, String action, String subject, boolean dryRun, String result) {}
