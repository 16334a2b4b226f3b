package io.hapax.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** One shop and its console for each class. */
abstract class ShopFixture extends BrowserFixture {

  static Shop shop;
  static ShopConsole console;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    shop = Shop.open();
    console = ShopConsole.start(shop, folder);
  }

  @AfterAll
  static void stop() {
    leave();
    console.close();
    shop.close();
  }

  /** Opens a page in English with a session, unless an earlier test has left one. */
  @BeforeEach
  void signIn() {
    if (!isSignedIn()) {
      open("/id?lang=en");
      if (browser.address().contains("/signin")) {
        browser.type("input[name=token]", ShopConsole.TOKEN).press("Sign in");
      }
      assertThat(isSignedIn()).isTrue();
    }
  }

  private static boolean isSignedIn() {
    return browser.address().startsWith(console.address() + "/")
        && browser
            .script("return document.documentElement.lang"
                + " + document.querySelector('.where')?.innerText")
            .equals("enConsumer billing");
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
}
