package io.hapax.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** Tests the actions in a browser: each one begins with a dry run. */
class ActionsBrowserTest extends ShopFixture {

  private static MarkState state(String id) {
    return shop.mark(id).map(Mark::state).orElse(MarkState.ABSENT);
  }

  @Test
  void a_whole_list_is_decided_by_one_dry_run() {
    for (int i = 1; i <= 3; i++) {
      shop.doubt("batch-" + i);
    }
    open("/doubt?kind=in_doubt");
    browser.type("input[name=filter]", "batch-").press("Filter");
    assertThat(browser.text("caption")).isEqualTo("3 marks, oldest first");
    assertSound();

    browser.press("Mark as done …");
    assertThat(browser.text("main"))
        .contains("Refused: nothing was changed", "no message is selected");
    browser.follow("Back");
    browser.find("input[name=all]").sendKeys(Keys.SPACE);
    browser.press("Mark as done …");
    browser.await("form .danger");
    assertThat(browser.text("nav [aria-current=page]")).isEqualTo("In doubt and stale");
    assertThat(browser.text("pre"))
        .contains("3 messages: 3 possible, 0 refused", "batch-2 would be marked as done");
    assertThat(state("batch-1")).isEqualTo(MarkState.RETRY);
    browser.press("Mark it as done now");

    awaitJob("ended");
    assertThat(browser.text("pre")).contains("3 messages: 3 changed, 0 refused");
    assertThat(state("batch-1")).isEqualTo(MarkState.DONE);
    browser.follow("Back");
    assertThat(browser.text("main")).contains("No mark of this list contains that text.");
  }

  @Test
  void a_message_in_doubt_is_dead_lettered_from_the_list() {
    shop.doubt("hopeless");
    long letters = shop.letters();
    open("/doubt?kind=in_doubt");

    browser.find("input[name=id][value=hopeless]").sendKeys(Keys.SPACE);
    browser.press("Dead-letter …");
    assertThat(browser.text("main")).contains("hopeless would be published to orders.dead");
    assertThat(shop.letters()).isEqualTo(letters);
    browser.press("Dead-letter it now");

    assertThat(browser.text("main")).contains("Done", "hopeless was published to orders.dead");
    assertThat(shop.letters()).isEqualTo(letters + 1);
    assertThat(state("hopeless")).isEqualTo(MarkState.DEAD);
    open("/id?id=hopeless");
    assertThat(browser.text("[aria-labelledby=letter]"))
        .contains("in doubt", "given up by an operator");
  }

  /** Waits for the end of a job, at which its page loads itself anew. */
  private static void awaitJob(String state) {
    browser.awaitPage(() -> assertThat(browser.all("[data-reload]")).isEmpty());
    browser.awaitText("main [role=status] .tag", state);
    assertSound();
  }

  @Test
  void chosen_records_of_a_group_are_redriven() {
    long records = shop.records();
    openGroup(Shop.REJECTED);

    browser.find("input[name=id][value=rejected-4]").sendKeys(Keys.SPACE);
    browser.find("input[name=id][value=rejected-5]").sendKeys(Keys.SPACE);
    browser.press("Dry run for the chosen records");
    browser.await("form .danger");
    assertThat(browser.text("pre")).containsPattern("to be published +2");
    browser.press("Redrive now");

    awaitJob("ended");
    assertThat(browser.text("nav [aria-current=page]")).isEqualTo("Dead letters");
    assertThat(shop.records()).isEqualTo(records + 2);
  }

  private static void openGroup(String failure) {
    open("/deadletters");
    browser.follow(failure);
  }

  @Test
  void a_running_redrive_of_a_whole_group_is_stopped() {
    long records = shop.records();
    openGroup(Shop.FAILED);
    assertThat(browser.all("[aria-labelledby=records] input[name=id]")).hasSizeGreaterThan(3);
    WebElement rate = browser.find("#group input[name=rate]");
    rate.clear();
    rate.sendKeys("1");
    browser.leaving(() -> browser.find("#group form").submit());
    browser.await("form .danger");
    assertThat(browser.text("pre"))
        .containsPattern("to be published +%d\n".formatted(Shop.HOSTILE.size()))
        .containsPattern("WITHOUT A RECORD +0");

    browser.press("Redrive now");
    browser.press("Stop it");

    awaitJob("stopped");
    assertThat(shop.records()).isLessThan(records + Shop.HOSTILE.size());
  }

  @Test
  void all_records_are_chosen_at_once_and_a_dry_run_of_all_changes_nothing() {
    long records = shop.records();
    openGroup(Shop.FAILED);
    browser.find("[data-select]").click();
    assertThat(browser.all("[type=checkbox][name=id]"))
        .isNotEmpty()
        .allMatch(WebElement::isSelected);

    open("/deadletters");
    browser.find("summary").click();
    browser.press("Dry run for all");
    browser.await("form .danger");
    browser.follow("Cancel");

    assertThat(browser.address()).contains("/deadletters");
    assertThat(shop.records()).isEqualTo(records);
  }

  @Test
  void an_audit_feeds_the_views_of_duplicates_and_conflicts() {
    open("/replay");
    browser.press("Run the audit");
    awaitJob("ended");
    assertThat(browser.text("pre")).contains("messages", "duplicates", "WOULD RUN AGAIN");

    view("/duplicates");
    assertThat(browser.text("main"))
        .contains("From the latest audit of the topic.", "Run an audit");
    assertThat(browser.text("dl.figures")).contains("%", "Dedup window", "8 d");
    assertThat(browser.all("[aria-labelledby=frequent] tbody tr")).isNotEmpty();
    view("/conflicts");
    assertThat(browser.text("main")).contains("1 conflict", "order-1", Shop.TOPIC + "-0@");
    view("/replay");
    assertThat(browser.text("[aria-labelledby=jobs]")).contains("Audit", "ended");
  }

  @Test
  void a_stopped_group_is_moved_after_a_dry_run() {
    open("/replay");
    WebElement form = browser.find("form[action$='/actions/replay']");
    form.findElement(By.name("accept")).click();
    browser.leaving(form::submit);
    browser.await("form .danger");
    assertThat(browser.text("pre")).contains("group billing", "-> 0");

    browser.press("Move the group now");

    assertSound();
    assertThat(browser.text("main")).contains("Done", "The group was moved");
  }

  @Test
  void the_keyboard_alone_repairs_a_message() {
    shop.doubt("by-keyboard");
    open("/id?id=by-keyboard");

    browser.tabTo("Mark as done …").keys(Keys.ENTER);
    browser.await("form .danger");
    browser.tabTo("Mark it as done now").keys(Keys.ENTER);

    browser.awaitText("main", "Done");
    assertThat(state("by-keyboard")).isEqualTo(MarkState.DONE);
  }
}
