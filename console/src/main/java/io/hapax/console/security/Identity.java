package io.hapax.console.security;

/**
 * The user who sent a request.
 *
 * @param name the name, for the action log
 * @param session the session of its CSRF token
 * @param mayWrite whether the user has the role for write actions
 */
public record Identity(String name, String session, boolean mayWrite) {}
