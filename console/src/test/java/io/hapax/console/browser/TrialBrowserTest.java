package io.hapax.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.console.Console;
import io.hapax.console.ConsoleSettings;
import io.hapax.console.figures.StoreFigures;
import io.hapax.console.operations.Deployment;
import io.hapax.console.page.Texts;
import io.hapax.console.trial.ScriptedTrial;
import io.hapax.console.trial.TrialAction;
import io.hapax.console.trial.TrialLane;
import io.hapax.console.trial.TrialLevel;
import io.hapax.console.trial.TrialOrder;
import io.hapax.console.trial.TrialStep;
import io.hapax.console.trial.TrialStep.Kind;
import io.hapax.console.trial.TrialStory;
import io.hapax.store.InMemoryDedupStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    Deployment deployment = Deployment.of(Shop.CONSUMER, new InMemoryDedupStore());
    demo = ShopConsole.serve(Console.open(
        ConsoleSettings.standalone(ShopConsole.TOKEN).allowingWrites(log),
        deployment,
        new StoreFigures(deployment, InstantSource.system()),
        trial));
    browser.forgetEverything();
    browser.open(demo.address() + "/signin?token=" + ShopConsole.TOKEN);
  }

  @AfterEach
  void stopDemo() {
    leave();
    browser.forgetEverything();
    demo.close();
  }

  private Browser openTrial(String language) {
    return browser.open(demo.address() + "/trial?lang=" + language);
  }

  /** Orders of which Hapax books each once, and the plain loop some again. */
  private static List<TrialOrder> orders(int count) {
    return IntStream.range(0, count)
        .mapToObj(it -> new TrialOrder(
            "order-1-%06d".formatted(it), it < count - 3 ? 1 : 0, it % 11 == 5 ? 2 : 1, true))
        .toList();
  }

  private static TrialStory killed(TrialStory.Part hapax, TrialStory.Part loop) {
    return ScriptedTrial.story(TrialAction.KILL, 20, hapax, loop);
  }

  private static final TrialStory.Part ONCE = ScriptedTrial.part(
      TrialLane.HAPAX,
      TrialLevel.GOOD,
      TrialStep.of(Kind.KILLED, "hapax-1", 9),
      TrialStep.of(Kind.TAKEN_OVER, "6.2", "hapax-2", 9),
      TrialStep.of(Kind.BOOKED, 0, 20));
  private static final TrialStory.Part MORE = ScriptedTrial.part(
      TrialLane.LOOP,
      TrialLevel.BAD,
      TrialStep.of(Kind.KILLED, "plain-1", 12),
      TrialStep.of(Kind.BOOKED, 2, 20));

  private static TrialStory.Part notices(int seconds) {
    return ScriptedTrial.part(
        TrialLane.LOOP,
        TrialLevel.PENDING,
        TrialStep.of(Kind.KILLED, "plain-1", 12),
        TrialStep.of(Kind.NOTICES, "Kafka", seconds));
  }

  /** Tells how an action ended in both lanes after a fault. */
  private static TrialStory ended(TrialAction action, Kind fault, int inFlight, int repeated) {
    return ScriptedTrial.story(
        action,
        20,
        ScriptedTrial.part(
            TrialLane.HAPAX,
            TrialLevel.GOOD,
            TrialStep.of(fault, "hapax-2", inFlight),
            TrialStep.of(Kind.BOOKED, 0, 20)),
        ScriptedTrial.part(
            TrialLane.LOOP,
            TrialLevel.BAD,
            TrialStep.of(fault, "plain-1", 20),
            TrialStep.of(Kind.BOOKED, repeated, 20)));
  }

  /** Shows 120 orders, some payments, and four stories; the newest is still open. */
  private void showAll() {
    trial.show(orders(120));
    trial.charge(List.of(new TrialOrder("paid", 1, 2, true), new TrialOrder("paid-2", 1, 2, true)));
    trial.tell(List.of(
        killed(ONCE, notices(4)),
        ended(TrialAction.FREEZE, Kind.FROZEN, 13, 4),
        ScriptedTrial.story(
            TrialAction.GATEWAY_TIMEOUT,
            2,
            ScriptedTrial.part(TrialLane.HAPAX, TrialLevel.GOOD, TrialStep.of(Kind.CHARGED, 0, 2)),
            ScriptedTrial.part(TrialLane.LOOP, TrialLevel.BAD, TrialStep.of(Kind.CHARGED, 2, 2))),
        ended(TrialAction.STOP_STORE, Kind.STORE_KILLED, 3, 7)));
  }

  @ParameterizedTest
  @CsvSource({"light, en", "light, zh", "dark, en", "dark, zh"})
  void the_view_is_sound_and_fits_a_screen_and_a_phone(String theme, String language) {
    showAll();
    browser.prefer(theme).viewport(1280, 800);

    openTrial(language);

    assertSound();
    Texts texts = Texts.of(language);
    assertThat(browser.text("nav [aria-current=page]")).isEqualTo(texts.get("view.trial"));
    for (TrialAction action : TrialAction.values()) {
      assertThat(browser.hasButton(texts.get("trial-action." + action)))
          .as(action.name())
          .isTrue();
    }
    assertThat(browser.all(".squares a")).hasSize(2 * 120);
    assertThat(below("#score, .levers, .processes, .squares a, .story li"))
        .as("what one screen does not show")
        .isEmpty();
    assertThat(browser.script("return new Set([...document.querySelectorAll('.levers button')]"
            + ".map((it) => it.getBoundingClientRect().top)).size"))
        .as("rows of buttons")
        .isEqualTo(1L);

    browser.viewport(390, 844);

    browser.script("scrollTo(0, 900)");
    assertThat(browser.script("return document.documentElement.scrollWidth")).isEqualTo(390L);
    assertThat(
            browser.script("return document.querySelector('#score').getBoundingClientRect().top"))
        .as("the score stays on top")
        .isEqualTo(0L);
    assertThat(browser.script("const at = (it) => document.querySelector(it).offsetTop;"
            + "return at('.levers') < at('.lane') && at('.levers') < at('.story')"))
        .isEqualTo(true);
  }

  /** Returns the elements whose lower edge the window does not show. */
  private static List<?> below(String selector) {
    return (List<?>) browser.script(
        "return [...document.querySelectorAll(arguments[0])]"
            + ".filter((it) => it.getBoundingClientRect().bottom > innerHeight)"
            + ".map((it) => it.className + ' ' + it.textContent.trim())",
        selector);
  }

  @Test
  void the_first_line_is_the_score_with_colour_symbol_and_word() {
    showAll();
    browser.viewport(1280, 800);

    openTrial("en");

    assertThat(browser.text("main .score"))
        .isEqualTo("The same 120 orders. Customers booked more than once: Hapax 0 plain loop 11");
    assertThat(browser.text(".score + .score"))
        .isEqualTo("The same 2 payments. Customers charged more than once: Hapax 0 plain loop 2");
    browser.awaitPage(
        () -> assertThat(browser.find(".score .bad").getCssValue("color")).contains("176, 35, 27"));
    assertThat(browser.script("return ['good', 'bad'].map((it) =>"
            + " getComputedStyle(document.querySelector('.score .' + it), '::before').content[1])"))
        .isEqualTo(List.of("✓", "✕"));
  }

  @Test
  void each_order_is_a_square_with_a_colour_and_words() {
    trial.show(List.of(
        new TrialOrder("order-1", 1, 1, true),
        new TrialOrder("order-2", 1, 3, true),
        new TrialOrder("order-3", 2, 1, true),
        new TrialOrder("order-4", 0, 0, true)));

    openTrial("en");

    assertThat(squares("HAPAX"))
        .asInstanceOf(InstanceOfAssertFactories.list(String.class))
        .containsExactly(
            "once  order-1: ✓ booked once",
            "once  order-2: ✓ booked once",
            "explained 2 order-3: ▲ booked 2 times, and a counted event explains it",
            "none  order-4: waiting");
    assertThat(squares("LOOP"))
        .asInstanceOf(InstanceOfAssertFactories.list(String.class))
        .contains("more 3 order-2: ✕ booked 3 times", "once  order-3: ✓ booked once");
    browser.awaitPage(() ->
        assertThat(browser.find(".more").getCssValue("background-color")).contains("176, 35, 27"));
    assertThat(browser.text("#lane-HAPAX"))
        .contains("4 orders: 2 booked once, 1 more than once, 1 waiting.")
        .contains("A counted event explains 1 of the repeats.")
        .contains("hapax-1\n4711\nstarting", "hapax-2\n4712\nrunning", "Store\nrunning");
    assertThat(browser.text("#lane-LOOP")).contains("plain-1\n–\nended");
    browser.await(".score .warn");
  }

  /** Reads all squares at once, because the server replaces them. */
  private static List<?> squares(String lane) {
    return (List<?>) browser.script(
        "return [...document.querySelectorAll('#lane-' + arguments[0] + ' .squares a')]"
            + ".map((it) => it.className + ' ' + it.textContent + ' ' + it.ariaLabel)",
        lane);
  }

  @Test
  void a_story_grows_from_a_countdown_to_a_result_without_a_reload() {
    openTrial("en");
    browser.script("window.stays = true");
    assertThat(browser.text(".story")).contains("Press a button.");

    trial.tell(List.of(killed(ONCE, notices(6))));
    browser.awaitText(
        ".part.warn.pending", "plain loop plain-1 was killed with 12 orders in flight");
    assertThat(browser.text(".part.pending")).endsWith("Kafka notices within 6 s");
    assertThat(browser.text(".begun")).isEqualTo("Kill 20:14:05 · 20 orders placed");
    trial.tell(List.of(killed(ONCE, notices(5))));
    browser.awaitText(".part.pending", "within 5 s");
    trial.tell(List.of(killed(ONCE, MORE)));
    browser.awaitText(".part.bad", "plain loop plain-1 was killed with 12 orders in flight");

    assertThat(browser.text(".part.bad")).endsWith("2 of 20 booked more than once");
    assertThat(browser.text(".part.good"))
        .isEqualTo(
            "Hapax hapax-1 was killed with 9 orders in flight 6.2 s later hapax-2 took over 9"
                + " 0 of 20 booked more than once");
    assertThat(browser.script("return window.stays")).isEqualTo(true);
  }

  @Test
  void the_last_numbers_stay_in_grey_while_the_store_is_away() {
    showAll();
    openTrial("en");
    assertThat(browser.all(".old")).isEmpty();

    trial.stopStore();

    browser.awaitText("#score", "as of 12 s ago: the database or the broker does not answer");
    assertThat(browser.script("const at = (it) =>"
            + " document.querySelector(it).getBoundingClientRect();"
            + "return at('.as-of').top > at('.score').top + at('.score').height / 2"))
        .as("it is below the score")
        .isEqualTo(true);
    browser.awaitText("#lane-HAPAX", "Store\nstopped");
    assertThat(browser.text(".score")).contains("The same 120 orders", "plain loop 11");
    browser.awaitPage(
        () -> assertThat(browser.find(".old").getCssValue("filter")).isEqualTo("grayscale(1)"));
    assertThat(browser.all(".squares.old a")).hasSize(2 * 120);
    assertSound();
  }

  @Test
  void a_hostile_id_runs_no_script_and_leads_to_its_page() {
    trial.show(Shop.HOSTILE.stream().map(it -> new TrialOrder(it, 1, 2, true)).toList());

    openTrial("en");

    assertSound();
    assertThat(browser.script("return window.hacked === undefined")).isEqualTo(true);
    assertThat(squares("LOOP").toString())
        .contains("<img src=x", "order-\\u202Egnp.exe", Shop.RIGHT_TO_LEFT);
    browser.leaving(() -> browser.script("document.querySelector('.squares a').click()"));
    assertThat(browser.find("input[name=id]").getAttribute("value")).isEqualTo(Shop.SCRIPT);
  }

  @Test
  void a_button_keeps_the_scroll_position_also_if_it_is_refused() throws Exception {
    showAll();
    browser.viewport(1280, 500);
    openTrial("en");
    browser.script("window.stays = true; scrollTo(0, 60)");

    browser.button("Kill").click();
    browser.awaitPage(() -> assertThat(trial.begun()).containsExactly(TrialAction.KILL));
    browser.await(".levers:not(.htmx-request)");
    assertThat(browser.all("#notice > *")).isEmpty();
    trial.stopStore();
    browser.button("Stop the store").click();
    browser.awaitText("#notice .outcome", "Refused, nothing was changed:");

    assertThat(browser.text("#notice")).contains("the store is stopped <script>");
    assertThat(browser.script("return [window.stays, scrollY]")).isEqualTo(List.of(true, 60L));
    assertThat(trial.begun()).containsExactly(TrialAction.KILL);
    assertThat(Files.readString(log)).contains("\"result\":\"refused: the store is stopped");
    assertSound();
    assertThat(browser.errors()).isNotEmpty().allMatch(it -> it.contains("409"));
    browser.button("Kill").click();
    browser.awaitPage(() -> assertThat(browser.all("#notice > *")).isEmpty());
  }
}
