package io.hapax.console.view;

import io.hapax.operations.text.Text;
import java.time.Instant;
import java.util.List;

/**
 * A line of the action log.
 *
 * @param ids the messages that the action concerned, in the format of {@code --message}
 */
public record ActionRow(
    Instant at,
    String user,
    String action,
    Text subject,
    List<String> ids,
    boolean dryRun,
    Text result) {}
