package io.hapax.console.view;

import io.hapax.operations.text.Text;

/**
 * The error page.
 *
 * @param key the key of its text: not-found, forbidden, csrf, host, too-large, unavailable, bad-
 *     request, method, internal
 * @param detail a further text; may be empty
 */
public record ErrorView(int status, String key, Text detail) {}
