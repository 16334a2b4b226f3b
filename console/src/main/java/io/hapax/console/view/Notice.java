package io.hapax.console.view;

/**
 * Why the last action was refused or failed, above a page.
 *
 * @param key the key of its text
 * @param detail a further text from a server or a store; may be empty
 */
public record Notice(String key, String detail) {}
