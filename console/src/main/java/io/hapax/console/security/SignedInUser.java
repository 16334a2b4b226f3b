package io.hapax.console.security;

/**
 * The user who sent a request.
 *
 * @param session the session of its CSRF token
 */
public record SignedInUser(String name, String session, boolean mayWrite) {}
