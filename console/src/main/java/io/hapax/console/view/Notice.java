package io.hapax.console.view;

import io.hapax.operations.text.Text;

/**
 * Why the last action was refused or failed, above a page.
 *
 * @param key the key of its text
 * @param detail a further text from a server or a store; may be empty
 */
public record Notice(String key, Text detail) {}
