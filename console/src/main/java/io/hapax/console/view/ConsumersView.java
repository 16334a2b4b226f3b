package io.hapax.console.view;

import java.util.List;
import java.util.Optional;

/**
 * The view of settings, warnings, versions and the action log.
 *
 * @param settings consumer, generation, topic, group, broker, store, retention
 * @param next the value of {@code before} for the next page
 * @param actionLog the file of the action log; empty if actions are off
 */
public record ConsumersView(
    List<Setting> settings,
    List<String> warnings,
    List<Setting> versions,
    List<ActionRow> actions,
    Optional<String> next,
    String actionLog) {}
