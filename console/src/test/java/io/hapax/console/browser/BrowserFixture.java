package io.hapax.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The common part of the browser tests: one browser, one shop and its console for each class. */
@Tag("browser")
@Timeout(120)
abstract class BrowserFixture {

  private static final String SOUNDNESS = resource("soundness.js");

  static Shop shop;
  static ShopConsole console;
  static Browser browser;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    browser = Browser.start(folder.resolve("profile"));
    shop = Shop.open();
    console = ShopConsole.start(shop, folder);
  }

  @AfterAll
  static void stop() {
    browser.close();
    console.close();
    shop.close();
  }

  @BeforeEach
  void signIn() {
    browser.prefer("light").size(Browser.SIZE.width, Browser.SIZE.height);
    open("/conflicts?lang=en");
    if (browser.address().contains("/signin")) {
      browser.type("input[name=token]", console.token()).press("Sign in");
    }
    assertThat(browser.text(".where")).isEqualTo("Consumer billing");
  }

  static void signInTo(ShopConsole other) {
    browser.forgetEverything();
    browser.open(other.address() + "/signin?lang=en");
    browser.type("input[name=token]", ShopConsole.TOKEN).press("Sign in");
  }

  /** Checks that no script failed and that no page loaded a forbidden resource. */
  @AfterEach
  void noErrors() {
    assertThat(browser.errors()).isEmpty();
  }

  static Browser open(String path) {
    return browser.open(console.address() + path);
  }

  /** Opens a view and checks the rules for every page. */
  static Browser view(String path) {
    open(path);
    assertSound();
    return browser;
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
