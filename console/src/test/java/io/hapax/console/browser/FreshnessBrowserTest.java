package io.hapax.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.console.HangingStore;
import io.hapax.console.Marks;
import io.hapax.mark.MarkState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that no page shows old data as current, and what a page does without a session. */
class FreshnessBrowserTest extends BrowserFixture {

  private static final String LINE = ".freshness .state";
  private static final String TIME = "return document.querySelector('.freshness time').dateTime";

  @TempDir
  private Path folder;

  private final HangingStore hanging = new HangingStore();
  private ShopConsole console;

  @BeforeEach
  void open() throws Exception {
    Marks.claimed(hanging.marks(), "lost", Duration.ofNanos(1));
    console = ShopConsole.start(hanging.store(), folder);
    signInTo(console);
  }

  @AfterEach
  void close() {
    hanging.answer();
    leave();
    console.close();
  }

  private void view(String path) {
    browser.open(console.address() + path);
  }

  private static void awaitNoData() {
    browser.awaitText(LINE, "No data for ");
    browser.awaitPage(() -> assertThat(browser.find(LINE).getAttribute("class")).contains("old"));
  }

  /** Awaits the next reading. */
  private static void awaitUpdate() {
    Object before = browser.script(TIME);
    browser.awaitPage(() -> assertThat(browser.script(TIME)).isNotEqualTo(before));
  }

  @Test
  void a_store_that_hangs_turns_the_line_of_each_page_grey_until_it_answers() {
    view("/consumers");
    hanging.hang();
    awaitNoData();
    browser.awaitText(LINE, "The store does not answer: ");
    assertSound();
    String age = browser.text(LINE + " b");
    browser.awaitPage(() -> assertThat(browser.text(LINE + " b")).isNotEqualTo(age));

    view("/conflicts");
    assertThat(browser.text(LINE)).contains("No data for ");

    hanging.answer();
    browser.awaitPage(
        () -> assertThat(browser.find(LINE).getAttribute("class")).doesNotContain("old"));
  }

  @Test
  void a_console_that_has_died_turns_the_line_grey() {
    view("/consumers");
    console.close();
    awaitNoData();
    browser.errors(); // the browser logs each attempt to connect
  }

  @Test
  void the_first_load_has_one_reading_and_an_axis_up_to_it() {
    view("/");
    browser.await(".trends .uplot canvas");
    browser.script("window.stays = true");
    assertThat(browser.all("[data-at] tbody tr")).hasSizeBetween(1, 2);
    browser.find("details summary").click();
    for (int i = 0; i < 2; i++) {
      awaitUpdate();
      browser.awaitPage(
          () -> assertThat(browser.text(".range")).endsWith(browser.text("[data-at] tbody th")));
      String[] ends = browser.text(".range").split(" – ", -1);
      assertThat(ends[0]).isNotEqualTo(ends[1]);
      assertThat((List<?>) browser.script("return [...document.querySelectorAll("
              + "'[data-at] tbody th')].map(it => it.innerText)"))
          .as("each reading once")
          .doesNotHaveDuplicates();
    }
    assertThat(browser.script("return window.stays")).as("no reload").isEqualTo(true);
  }

  @Test
  void eight_tabs_share_one_stream_and_each_is_updated() {
    List<String> tabs = new ArrayList<>(List.of(browser.currentTab()));
    view("/");
    for (String path : List.of("/id", "/doubt", "/conflicts", "/replay", "/consumers", "/", "/")) {
      tabs.add(browser.tab());
      view(path);
    }
    awaitUpdates(tabs);
    browser.to(tabs.remove(0)).closeTab(); // the one that reads the stream
    awaitUpdates(tabs);
    tabs.subList(1, tabs.size()).forEach(tab -> browser.to(tab).closeTab());
    browser.to(tabs.get(0));
  }

  private static void awaitUpdates(List<String> tabs) {
    Map<String, Object> before = new HashMap<>();
    tabs.forEach(tab -> before.put(tab, browser.to(tab).script(TIME)));
    for (String tab : tabs) {
      browser.to(tab);
      browser.awaitPage(
          () -> assertThat(browser.script(TIME)).as(tab).isNotEqualTo(before.get(tab)));
    }
  }

  @Test
  void without_the_means_to_share_a_tab_polls() {
    String first = browser.currentTab();
    String tab = browser.tab();
    browser.inject("delete window.BroadcastChannel; window.asked = []; const real = fetch;"
        + "window.fetch = (address) => { asked.push(address); return real(address); }");
    view("/consumers");
    awaitUpdate();
    awaitUpdate();
    assertThat(browser.script("return [...new Set(asked)]")).isEqualTo(List.of("/now/events?once"));
    browser.to(tab).closeTab();
    browser.to(first);
  }

  @Test
  void a_page_whose_session_has_ended_says_so_and_leads_back_after_the_sign_in() {
    view("/doubt?kind=stale");
    String first = browser.currentTab();
    String second = signOutInAnotherTab();

    browser.to(first).awaitText(LINE, "Signed out");
    browser.follow("Sign in");
    browser.type("input[name=token]", ShopConsole.TOKEN).press("Sign in");
    assertThat(browser.address()).endsWith("/doubt?kind=stale");

    browser.to(second).closeTab();
    browser.to(first).errors(); // the browser logs the refused stream
  }

  private String signOutInAnotherTab() {
    String tab = browser.tab();
    view("/consumers");
    browser.press("Sign out");
    return tab;
  }

  @Test
  void a_button_that_is_pressed_after_the_session_leads_back_to_its_dry_run() {
    String first = browser.currentTab();
    view("/id?id=lost");
    browser.press("Mark as done …");
    String plan = browser.address();
    String second = signOutInAnotherTab();

    browser.to(first).press("Mark it as done now");
    assertThat(browser.text("main")).contains("nothing was done");
    browser.type("input[name=token]", ShopConsole.TOKEN).press("Sign in");
    assertThat(browser.address()).isEqualTo(plan);
    assertThat(state()).isEqualTo(MarkState.PROCESSING);

    browser.press("Mark it as done now");
    assertThat(browser.text("main")).contains("lost was marked as done");
    assertThat(state()).isEqualTo(MarkState.DONE);
    browser.to(second).closeTab();
    browser.to(first).errors();
  }

  private MarkState state() {
    return Marks.of(hanging.marks(), "lost").state();
  }
}
