package io.hapax.console.view;

/**
 * The page that asks for the token.
 *
 * @param why {@code failed} after a wrong token, {@code pressed} after a button without a session
 * @param next the address of the page after the sign-in, without the base
 */
public record SignInView(String why, String next) {}
