package io.hapax.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.console.Console;
import io.hapax.console.ConsoleSettings;
import io.hapax.console.figures.StoreFigures;
import io.hapax.console.operations.Deployment;
import io.hapax.console.page.Texts;
import io.hapax.console.trial.ScriptedTrial;
import io.hapax.console.trial.TrialAction;
import io.hapax.console.trial.TrialOrder;
import io.hapax.store.InMemoryDedupStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.WebElement;

/** Tests the view "Break it" in a browser, on a demo whose state the test sets. */
class TrialBrowserTest extends BrowserFixture {

  @TempDir
  private Path folder;

  private final ScriptedTrial trial = new ScriptedTrial();
  private ShopConsole demo;
  private Path log;

  @BeforeEach
  void startDemo() throws IOException {
    log = folder.resolve("actions.jsonl");
    demo = demo(ConsoleSettings.standalone(ShopConsole.TOKEN).allowingWrites(log));
    signInTo(demo);
  }

  private ShopConsole demo(ConsoleSettings settings) throws IOException {
    Deployment deployment = Deployment.of(Shop.CONSUMER, new InMemoryDedupStore());
    return ShopConsole.serve(Console.open(
        settings, deployment, new StoreFigures(deployment, InstantSource.system()), trial));
  }

  /** Leaves the page first: the browser reports a stream that its server closes. */
  @AfterEach
  void stopDemo() {
    open("/signin");
    browser.forgetEverything();
    demo.close();
  }

  private Browser openTrial(String language) {
    return browser.open(demo.address() + "/trial?lang=" + language);
  }

  @ParameterizedTest
  @CsvSource({"light, en", "light, zh", "dark, en", "dark, zh"})
  void the_view_is_sound_in_both_themes_and_languages(String theme, String language) {
    trial.show(List.of(
        new TrialOrder("order-5", 0, 0, false),
        new TrialOrder("order-4", 1, 1, false),
        new TrialOrder("order-3", 2, 2, true),
        new TrialOrder("order-2", 1, 3, false),
        new TrialOrder("order-1", 2, 1, false)));
    trial.charge(List.of(1L, 1L), List.of(2L, 1L));
    browser.prefer(theme);

    openTrial(language);

    assertSound();
    Texts texts = Texts.of(language);
    assertThat(browser.text("nav [aria-current=page]")).isEqualTo(texts.get("view.trial"));
    for (TrialAction action : TrialAction.values()) {
      assertThat(browser.hasButton(texts.get("trial-action." + action)))
          .as(action.name())
          .isTrue();
    }
    browser.screenshot("trial-" + language + "-" + theme);
  }

  @Test
  void the_navigation_leads_to_the_view() {
    browser.open(demo.address() + "/").follow("Break it");

    assertThat(browser.title()).isEqualTo("Break it · Hapax");
  }

  @Test
  void each_button_begins_its_action_and_is_a_line_of_the_action_log() throws Exception {
    openTrial("en");
    Texts texts = Texts.of("en");

    for (TrialAction action : TrialAction.values()) {
      browser.press(texts.get("trial-action." + action));
      assertThat(browser.title()).isEqualTo("Break it · Hapax");
    }

    assertThat(trial.begun()).containsExactly(TrialAction.values());
    List<String> lines = new ArrayList<>();
    for (TrialAction action : TrialAction.values()) {
      String named = "\"action\":\"trial\",\"id\":\"" + action + "\",\"dryRun\":false,\"result\":";
      lines.add(named + "\"begins\"");
      lines.add(named + "\"began " + action + "\"");
    }
    assertThat(Files.readAllLines(log)).hasSameSizeAs(lines);
    for (int i = 0; i < lines.size(); i++) {
      assertThat(Files.readAllLines(log).get(i)).contains(lines.get(i));
    }
    browser.open(demo.address() + "/consumers");
    assertThat(browser.text("[aria-labelledby=log]")).contains("Break it", "STOP_STORE");
  }

  @Test
  void repeats_of_the_naive_consumer_are_red_and_have_a_symbol_and_a_word() {
    trial.show(List.of(
        new TrialOrder("order-4", 1, 3, false),
        new TrialOrder("order-3", 1, 2, false),
        new TrialOrder("order-2", 1, 1, false),
        new TrialOrder("order-1", 1, 2, false)));
    trial.charge(List.of(1L, 1L), List.of(2L, 1L));

    openTrial("en");

    assertThat(browser.text("#totals-hapax")).contains("4 orders, 4 effects, 0 twice");
    assertThat(browser.text("#totals-naive")).contains("4 orders, 8 effects, 3 twice");
    browser.await("#totals-hapax.good");
    browser.await("#totals-naive.bad");
    assertThat(browser.text(".effects tbody tr td:last-child")).isEqualTo("3 ✕ more than once");
    browser.awaitPage(() ->
        assertThat(browser.find(".effect.twice").getCssValue("color")).contains("176, 35, 27"));
    assertThat(browser.all(".effect.once")).hasSize(5);
    browser.screenshot("trial");
  }

  @Test
  void charges_are_shown_from_the_first_paid_order_on() {
    openTrial("en");
    assertThat(browser.all("#totals-charged-hapax")).isEmpty();

    trial.charge(List.of(1L, 1L), List.of(2L, 1L));

    browser.awaitText("#totals-charged-hapax.good", "2 orders, 2 effects, 0 twice");
    browser.awaitText("#totals-charged-naive.bad", "2 orders, 3 effects, 1 twice");
    assertSound();
  }

  @Test
  void an_explained_repeat_with_hapax_differs_from_an_unexplained_one() {
    trial.show(List.of(new TrialOrder("explained", 2, 1, true)));
    openTrial("en");
    assertThat(browser.text("#totals-hapax"))
        .contains("1 orders, 2 effects, 1 twice", "A counted event explains 1 of the repeats.");
    browser.await("#totals-hapax.warn");
    assertThat(browser.text(".effects tbody td")).isEqualTo("2 ▲ repeat, explained");

    trial.show(List.of(new TrialOrder("unexplained", 2, 1, false)));
    openTrial("en");
    browser.await("#totals-hapax.bad");
    assertThat(browser.text(".effects tbody td")).isEqualTo("2 ✕ more than once");
  }

  @Test
  void the_state_moves_without_a_reload() {
    openTrial("en");
    browser.script("window.stays = true");
    assertThat(browser.text("[aria-labelledby=orders]")).contains("No order was placed yet.");

    trial.show(List.of(new TrialOrder("order-1", 1, 2, false)));
    browser.awaitText("#totals-naive", "1 orders, 2 effects, 1 twice");
    trial.stopStore();
    browser.awaitText("#unknown", "The effects are unknown");

    assertThat(browser.script("return window.stays")).isEqualTo(true);
    assertThat(browser.text("[aria-labelledby=consumers]"))
        .contains("hapax-1", "4711", "frozen", "starting", "ended, starts again soon", "stopped");
    assertSound();
  }

  @Test
  void at_most_a_hundred_orders_are_listed() {
    trial.show(IntStream.range(0, 150)
        .mapToObj(it -> new TrialOrder("order-" + it, 1, 1, false))
        .toList());

    openTrial("en");

    assertThat(browser.all(".effects tbody tr")).hasSize(100);
    assertThat(browser.text("#totals-hapax")).contains("150 orders, 150 effects");
  }

  @Test
  void a_hostile_id_runs_no_script_and_leads_to_its_page() {
    trial.show(Shop.HOSTILE.stream().map(it -> new TrialOrder(it, 1, 2, false)).toList());

    openTrial("en");

    assertSound();
    assertThat(browser.script("return window.hacked === undefined")).isEqualTo(true);
    browser.awaitPage(() -> assertThat(browser.all(".effects tbody th"))
        .extracting(WebElement::getText)
        .anySatisfy(it -> assertThat(it).contains("<img src=x"))
        .contains("order-\\u202Egnp.exe", Shop.RIGHT_TO_LEFT));
    browser.leaving(() -> browser.script("document.querySelector('.effects tbody a').click()"));
    assertThat(browser.find("input[name=id]").getAttribute("value")).isEqualTo(Shop.SCRIPT);
  }

  @Test
  void a_refused_action_shows_its_reason() throws Exception {
    openTrial("en");
    trial.stopStore();

    browser.press("Stop the store");

    assertThat(browser.text("main .outcome"))
        .contains("Refused, nothing was changed:", "the store is stopped <script>");
    assertThat(trial.begun()).isEmpty();
    assertThat(Files.readString(log)).contains("\"result\":\"refused: the store is stopped");
    assertSound();
    assertThat(browser.errors()).hasSize(1).first().asString().contains("409");
  }

  @Test
  void a_read_only_console_has_no_buttons() throws Exception {
    ShopConsole readOnly = demo(ConsoleSettings.standalone(ShopConsole.TOKEN));
    try {
      signInTo(readOnly);
      browser.open(readOnly.address() + "/trial?lang=en");
      assertSound();
      assertThat(browser.all("main button")).isEmpty();
      assertThat(browser.text("main")).contains("You have read access only.");
    } finally {
      open("/signin");
      readOnly.close();
    }
  }
}
