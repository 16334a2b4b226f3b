package io.hapax.console.view;

import java.util.OptionalLong;

/**
 * A number in the view Now.
 *
 * @param name the key of its name: executed, duplicates, busy, takeovers, lag, problems, live,
 *     stale, indoubt, dead, leased
 * @param value the current number; empty if this console cannot read it
 * @param complete false if the value is a lower bound
 * @param attention whether the page highlights it
 */
public record Figure(String name, OptionalLong value, boolean complete, boolean attention) {}
