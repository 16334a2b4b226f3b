package io.hapax.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.console.Marks;
import io.hapax.redis.RedisDedupStore;
import io.hapax.servers.LocalRedis;
import io.hapax.store.DedupStore;
import io.lettuce.core.RedisURI;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a store with 100,000 marks in doubt: each page is as small as with a few marks. */
class ManyMarksBrowserTest extends BrowserFixture {

  private static final int MARKS = 100_000;
  private static final int BATCH = 1_000;
  private static final int MOST_ROWS = 200;
  private static final int MOST_BYTES = 300_000;

  private static LocalRedis redis;
  private static DedupStore store;
  private static ShopConsole console;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    redis = LocalRedis.start();
    store = RedisDedupStore.builder(RedisURI.create(redis.uri())).build();
    for (int i = 0; i < MARKS; i += BATCH) {
      leaveInDoubt(i);
    }
    console = ShopConsole.start(store, folder);
    signInTo(console);
  }

  private static void leaveInDoubt(int from) {
    Marks.inDoubt(
        store,
        IntStream.range(from, from + BATCH)
            .mapToObj(i -> Marks.request("order-" + i, Shop.TOPIC + "-0@" + i))
            .toList());
  }

  @AfterAll
  static void stop() {
    leave();
    console.close();
    store.close();
    redis.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/id?id=order-77777",
        "/doubt?kind=in_doubt",
        "/doubt?kind=stale",
        "/deadletters",
        "/duplicates",
        "/conflicts",
        "/replay",
        "/consumers"
      })
  void a_page_has_few_rows_and_bytes(String path) {
    browser.open(console.address() + path);

    assertThat(browser.all("tr").size()).isLessThan(MOST_ROWS);
    assertThat((Long)
            browser.script("return performance.getEntriesByType('navigation')[0].decodedBodySize"))
        .isBetween(1_000L, (long) MOST_BYTES);
  }

  @Test
  void the_first_line_counts_up_to_a_limit_and_says_so() {
    browser.open(console.address() + "/");

    assertThat(browser.text(".state")).contains("in doubt");
    assertThat(browser.text("dl.figures")).contains("≥");
  }

  @Test
  void more_rows_are_added_page_by_page_and_the_keyboard_goes_on_there() {
    browser.open(console.address() + "/doubt?kind=in_doubt");
    browser.script("window.stays = true");

    for (int page = 0; page < 3; page++) {
      int shown = browser.all("tbody th").size();
      browser.link("Show more").click();
      browser.awaitPage(() -> assertThat(browser.all("tbody th").size()).isGreaterThan(shown));
      browser.awaitPage(() -> assertThat(browser.focused().getText()).startsWith("order-"));
    }

    assertThat(browser.script("return window.stays")).isEqualTo(true);
    assertThat((List<?>) browser.script(
            "return [...document.querySelectorAll('tbody th')].map(it => it.innerText)"))
        .as("every mark once")
        .doesNotHaveDuplicates();
  }
}
