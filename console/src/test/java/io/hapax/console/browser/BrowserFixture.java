package io.hapax.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** The common part of the browser tests: one browser for all of this JVM. */
@Tag("browser")
@Timeout(120)
abstract class BrowserFixture {

  static final Browser browser = Browser.start();

  private static final String SOUNDNESS = resource("soundness.js");

  @BeforeEach
  void reset() {
    browser.prefer("light").size(Browser.SIZE.width, Browser.SIZE.height);
  }

  static void signInTo(ShopConsole other) {
    browser.forgetEverything();
    browser.open(other.address() + "/signin?lang=en");
    browser.type("input[name=token]", ShopConsole.TOKEN).press("Sign in");
  }

  /** Leaves the page before its server closes: the browser reports a stream that ends. */
  static void leave() {
    browser.open("about:blank");
  }

  /** Checks that no script failed and that no page loaded a forbidden resource. */
  @AfterEach
  void noErrors() {
    assertThat(browser.errors()).isEmpty();
  }

  static void assertSound() {
    assertThat(soundness()).as(browser.address()).isEmpty();
  }

  /** Returns the rules that the page violates. */
  static List<?> soundness() {
    return (List<?>) browser.script(SOUNDNESS);
  }

  private static String resource(String name) {
    try (var bytes = BrowserFixture.class.getResourceAsStream(name)) {
      if (bytes == null) {
        throw new IllegalStateException("missing: " + name);
      }
      return new String(bytes.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
