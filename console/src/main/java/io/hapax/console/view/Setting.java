package io.hapax.console.view;

/**
 * A name and a value.
 *
 * @param name the name, or the key of its text
 * @param value the value; for changes and payloads, the key of its text
 */
public record Setting(String name, String value) {}
