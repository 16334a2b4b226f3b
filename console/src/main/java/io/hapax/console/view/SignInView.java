package io.hapax.console.view;

/**
 * The page that asks for the token.
 *
 * @param next the address of the page after the sign-in, without the base
 */
public record SignInView(boolean failed, String next) {}
