package io.hapax.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.console.Marks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** Tests the views in a browser, without actions. */
class ViewsBrowserTest extends ShopFixture {

  private static final Map<String, String> VIEWS = Map.of(
      "/", "Now",
      "/id?id=order-1", "One id",
      "/doubt", "In doubt and stale",
      "/deadletters", "Dead letters",
      "/duplicates", "Duplicates",
      "/conflicts", "Conflicts",
      "/replay", "Audit and replay",
      "/consumers", "Consumers and stores");

  /** The browser itself adds the parts that scroll. */
  private static final int REGIONS = 20;

  private static final String WATCH_FOCUS = """
      window.controls = [...document.querySelectorAll(
        "a[href], button, input:not([type=hidden]), summary, [tabindex='0']")]
        .filter(it => it.checkVisibility()).map(it => it.outerHTML);
      window.reached = new Set();
      window.unseen = [];
      document.addEventListener("focusin", ({ target }) => {
        window.reached.add(target.outerHTML);
        if (getComputedStyle(target).outlineStyle !== "solid") {
          window.unseen.push(target.outerHTML);
        }
      });
      """;

  @BeforeAll
  static void leaveMarks() {
    shop.doubt("doubtful-1");
    shop.doubt("doubtful-2");
    shop.doubt(Shop.SCRIPT + "1");
    shop.lose("lost-1");
    shop.lose("lost-" + Shop.EMOJI);
    shop.claim("running-1", Duration.ofMinutes(10));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void every_view_is_sound_in_both_themes_and_languages(
      String path, String theme, String language) {
    browser.prefer(theme);

    view(path + (path.contains("?") ? "&" : "?") + "lang=" + language);

    assertThat(browser.script("return document.documentElement.scrollWidth - innerWidth"))
        .as("the page scrolls sideways")
        .isEqualTo(0L);
    assertThat(browser.find("html").getAttribute("lang")).isEqualTo(language);
    assertThat(browser.find("nav [aria-current=page]").getText()).isNotEmpty();
    String ground =
        String.valueOf(browser.script("return getComputedStyle(document.body).backgroundColor"));
    assertThat(ground).isEqualTo(theme.equals("dark") ? "rgb(14, 18, 23)" : "rgb(245, 246, 248)");
  }

  static Stream<Arguments> pages() {
    return VIEWS.keySet().stream()
        .sorted()
        .flatMap(path -> Stream.of("light", "dark")
            .flatMap(theme ->
                Stream.of("en", "zh").map(language -> Arguments.of(path, theme, language))));
  }

  @Test
  void the_navigation_leads_to_every_view() {
    VIEWS.values().forEach(name -> {
      browser.follow(name);
      assertThat(browser.title()).isEqualTo(name + " · Hapax");
      assertThat(browser.text("nav [aria-current=page]")).isEqualTo(name);
    });
  }

  @Test
  void each_figure_leads_to_its_list() {
    open("/");
    assertThat(browser.script("return [...document.querySelectorAll('.figures dt a')]"
            + ".map(it => it.innerText + ' ' + it.getAttribute('href'))"))
        .isEqualTo(List.of(
            "Lag /consumers",
            "In doubt /doubt?kind=in_doubt",
            "Running /doubt?kind=leased",
            "Live members /consumers",
            "Stale /doubt?kind=stale",
            "Dead /deadletters"));
    browser.leaving(() -> browser.script("document.querySelector('a[href$=deadletters]').click()"));
    assertThat(browser.title()).isEqualTo("Dead letters · Hapax");
  }

  @Test
  void a_console_inside_of_an_application_shows_its_meters() throws Exception {
    try (BusyShop busy = BusyShop.open(shop)) {
      signInTo(busy.console());
      browser.open(busy.address() + "/");
      browser.await(".trends .uplot canvas");
      browser.awaitText(".freshness .state", "All is well.");
      assertSound();
      assertThat(browser.text("dl.figures"))
          .contains("Messages per second", "Duplicates per second", "Lag");
      browser.find("details summary").click();
      String newest = browser.text("[data-at] tbody tr");

      busy.publish();
      browser.awaitPage(() -> assertThat(browser.text("[data-at] tbody tr")).isNotEqualTo(newest));
      browser.find("details summary").click();

      browser.screenshot("now");
      browser.open(busy.address() + "/?lang=zh");
      browser.await(".trends .uplot canvas");
      browser.screenshot("now-zh");
      browser.open(busy.address() + "/duplicates?lang=en");
      assertSound();
      assertThat(browser.text("main")).contains("From the meters of the application.", "%");
    }
    browser.forgetEverything();
  }

  @Test
  void one_id_is_answered_in_a_sentence_a_timeline_and_a_repair() {
    view("/consumers");
    browser.type("[data-find]", "rejected-1").press("Look up");

    assertSound();
    assertThat(browser.text(".answer > .state"))
        .contains("It failed for good at", "Fix the cause, then redrive its record");
    assertThat(browser.text("[aria-labelledby=repair]")).startsWith("Recommended");
    assertThat(browser.text("[aria-labelledby=events]"))
        .contains("claimed", "dead-lettered", "no such price");
    assertThat(browser.text("[aria-labelledby=mark]")).contains("DEAD", Shop.TOPIC + "-0@");
    assertThat(browser.text("[aria-labelledby=letter]"))
        .contains(Shop.LETTERS + "-0@", "not retryable", "no such price");
    browser.screenshot("id");
    browser.prefer("dark");
    view("/id?id=rejected-1&lang=zh");
    view("/id?id=never-seen");
    view("/id?id=order-1&lang=en");
    assertThat(browser.text(".answer > .state")).contains("A second payload with this id");
  }

  @Test
  void the_key_slash_leads_to_the_field_for_an_id_except_while_the_user_types() {
    open("/doubt");
    browser.keys("/");
    assertThat(browser.script("return document.activeElement.matches('[data-find]')"))
        .isEqualTo(true);

    browser.keys("a/b", Keys.ENTER);

    browser.awaitText(".answer h2", "a/b");
    assertThat(browser.find("[data-find]").getAttribute("value")).isEqualTo("a/b");
  }

  @Test
  void marks_in_doubt_and_stale_marks_are_listed_oldest_first() {
    view("/doubt?kind=in_doubt");
    assertThat(browser.all("tbody th"))
        .extracting(WebElement::getText)
        .startsWith("doubtful-1", "doubtful-2");
    assertThat(browser.button("Filter").getRect().getX())
        .as("it stands beside its field")
        .isGreaterThan(browser.find("input[name=filter]").getRect().getX());

    browser.follow("Stale");
    assertSound();
    assertThat(browser.all("tbody th").get(0).getText()).isEqualTo("lost-1");
    assertThat(browser.text("tbody")).contains(Marks.OWNER);

    browser.follow("Running");
    assertSound();
    assertThat(browser.all("tbody th"))
        .extracting(WebElement::getText)
        .containsExactly("running-1");
    assertThat(browser.hasButton("Mark as done")).as("an owner holds it").isFalse();
  }

  @Test
  void dead_letters_are_grouped_by_failure() {
    view("/deadletters");
    assertThat(browser.text("main table"))
        .contains("6", "not retryable", "RejectedMessageException", "IllegalArgumentException");

    browser.leaving(() -> browser.find("tbody th a").click());

    assertSound();
    assertThat(browser.text("#group")).isNotEmpty();
    assertThat(browser.all("[aria-labelledby=records] tbody tr")).hasSize(6);
    browser.screenshot("deadletters");
  }

  @Test
  void a_group_of_hostile_records_runs_no_script() {
    open("/deadletters");
    browser.follow(Shop.FAILED);

    assertSound();
    assertThat(browser.text("[aria-labelledby=records]")).contains("<script>", "\\u202E", "xxx…");
  }

  @Test
  void consumers_and_stores_are_described() {
    view("/consumers");

    assertThat(browser.text("[aria-labelledby=settings]"))
        .contains(Shop.CONSUMER, Shop.TOPIC, "8 d");
    assertThat(browser.text("[aria-labelledby=versions]")).contains("Java");
    assertThat(browser.text("main")).contains("The store has no warnings.");
    assertThat(browser.text("footer")).startsWith("Hapax (built from source) · ");
  }

  static List<String> hostileIds() {
    return Shop.HOSTILE;
  }

  @ParameterizedTest
  @MethodSource("hostileIds")
  void a_hostile_id_runs_no_script_and_keeps_its_text(String id) {
    open("/");
    browser.script("document.querySelector('[data-find]').value = arguments[0]", id);
    browser.press("Look up");

    assertSound();
    assertThat(browser.find("[data-find]").getAttribute("value")).isEqualTo(id);
    assertThat(browser.text("[aria-labelledby=mark]")).contains("DEAD");
    String shown = browser.text(".answer h2 .whole");
    assertThat(shown).isEqualTo(id.replace("\u202E", "\\u202E"));
    assertThat(browser.text("[aria-labelledby=letter]")).contains("<script>");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/%3Cscript%3Ewindow.hacked=1%3C/script%3E",
        "/doubt?kind=%22%3E%3Cscript%3Ewindow.hacked=1%3C/script%3E",
        "/doubt?after=%22%3E%3Cscript%3Ewindow.hacked=1%3C/script%3E",
        "/deadletters?topic=%22%3E%3Cscript%3Ewindow.hacked=1%3C/script%3E&group=%3Cimg%3E",
        "/consumers?before=%22%3E%3Cscript%3E",
        "/jobs/%22%3E%3Cscript%3Ewindow.hacked=1%3C/script%3E",
        "/signin?next=%22%3E%3Cscript%3Ewindow.hacked=1%3C/script%3E"
      })
  void a_hostile_address_is_refused_or_shown_as_text(String path) {
    view(path);

    assertThat(browser.all("script:not([src])")).isEmpty();
    browser.errors(); // a refused address is logged by the browser
  }

  @Test
  void the_first_control_of_a_page_skips_to_its_content() {
    open("/");

    browser.keys(Keys.TAB);
    assertThat(browser.focused().getText()).isEqualTo("Skip to the content");
    browser.keys(Keys.ENTER);

    browser.awaitPage(() -> assertThat(browser.address()).endsWith("#main"));
  }

  @Test
  void every_control_of_a_page_can_be_reached_by_the_keyboard_and_shows_it() {
    for (String path : VIEWS.keySet()) {
      open(path);
      browser.script(WATCH_FOCUS);
      long controls = (Long) browser.script("return window.controls.length");
      assertThat(controls).as(path).isGreaterThan(9);

      browser.keys(Keys.TAB.toString().repeat((int) controls + REGIONS));

      assertThat(browser.script("return window.controls.filter(it => !window.reached.has(it))"))
          .as(path)
          .isEqualTo(List.of());
      assertThat(browser.script("return window.unseen")).as(path).isEqualTo(List.of());
    }
  }

  @Test
  void the_theme_follows_the_system_until_a_person_chooses() {
    browser.prefer("dark");
    open("/");
    assertThat(browser.button("Dark").getAttribute("aria-pressed")).isEqualTo("true");

    browser.button("Dark").click();
    open("/consumers");
    assertThat(browser.find("html").getAttribute("data-theme")).isEqualTo("light");
    assertSound();

    browser.button("Dark").click();
    assertThat(browser.find("html").getAttribute("data-theme")).isEqualTo("dark");
    open("/");
    browser.await(".trends .uplot canvas");
    browser.script("localStorage.clear()");
  }

  @Test
  void the_language_stays_as_it_was_chosen() {
    open("/doubt?kind=stale");
    browser.follow("中文");

    assertThat(browser.address()).contains("/doubt?kind=stale");
    assertThat(browser.text("h1")).isEqualTo("存疑与滞留");
    browser.follow("死信");
    assertThat(browser.title()).isEqualTo("死信 · Hapax");

    browser.follow("English");
    assertThat(browser.title()).isEqualTo("Dead letters · Hapax");
  }

  @Test
  void a_phone_shows_everything_without_scrolling_sideways() {
    Stream<String> others =
        Stream.of("/doubt?kind=stale", "/doubt?kind=leased", "/id", "/no-such-page", "/jobs/none");
    List<String> paths = Stream.concat(VIEWS.keySet().stream(), others).toList();
    browser.phone(390);
    for (String path : paths) {
      open(path);
      assertFits(path);
    }
    open("/deadletters");
    browser.follow(Shop.FAILED);
    assertFits("a group of dead letters");
    browser.follow(Shop.EMOJI);
    assertFits("an id with a long error");
    assertThat(browser.script("return [...document.querySelectorAll('.whole')]"
            + ".filter((it) => it.clientHeight < it.scrollHeight).length"))
        .as("texts that are shown in part")
        .isEqualTo(0L);
    open("/id?id=rejected-1");
    browser.press("Reopen …");
    assertFits("a dry run");
    browser.press("Sign out");
    assertFits("the sign-in");
    browser.errors(); // the browser logs the page that does not exist
  }

  private static void assertFits(String page) {
    assertThat(browser.script("return [innerWidth, document.documentElement.scrollWidth]"))
        .as(page)
        .isEqualTo(List.of(390L, 390L));
  }

  @Test
  void the_check_of_pages_finds_what_it_is_for() {
    open("/consumers");
    browser.script("document.body.insertAdjacentHTML('beforeend',"
        + "'<h1>2</h1><input><table><tr><th>x</th></tr></table><a></a><img><p id=main class=pale>x</p>');"
        + "document.querySelector('.pale').style.color = getComputedStyle(document.body).backgroundColor;"
        + "window.hacked = 1");

    assertThat(soundness().toString())
        .contains(
            "not one h1",
            "foreign script",
            "id twice",
            "foreign element",
            "no label",
            "no text",
            "no scope",
            "contrast 1.0");
  }
}
