package io.hapax.console.view;

/**
 * A name and a value.
 *
 * @param name the name, or the key of its text
 * @param value the value
 */
public record Setting(String name, String value) {}
