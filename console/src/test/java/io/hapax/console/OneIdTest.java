package io.hapax.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.DeadLetter.Kind;
import io.hapax.console.http.Response;
import io.hapax.generation.Generations;
import io.hapax.mark.MarkState;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the page of one id says, and what it offers. */
class OneIdTest extends TopicsFixture {

  private static final String REDRIVEN = "Redrive: [^<]+, job \\S+ ENDED, 1 published";

  /** Returns the page without its line breaks. */
  private String page(String id) {
    return Visitor.text(visitor.get("/id?id=" + URLEncoder.encode(id, StandardCharsets.UTF_8)))
        .replaceAll("\\s+", " ");
  }

  private void redrive(String id) {
    Response dryRun = ended(visitor.planned("redrive", "id", id, "topic", topics.letters()));
    ended(visitor.confirmed("redrive", dryRun));
    await().atMost(BOUND).untilAsserted(() -> assertThat(page(id)).containsPattern(REDRIVEN));
  }

  private void search(String id) {
    String bytes = Visitor.found("name=\"bytes\" value=\"([^\"]+)\"", page(id));
    ended(visitor.form("/actions/search", "id", id, "bytes", bytes));
  }

  @Test
  void a_second_payload_in_the_dead_letters_is_shown_and_can_be_let_run() throws Exception {
    long offset = topics.publish("a");
    Marks.done(store, "a");
    topics.deadLetter(offset, Kind.CONFLICT, "another payload");

    assertThat(page("a"))
        .contains("A second payload with this id", topics.letters() + "-0@0, and may not have run")
        .contains("actions/reopen-any-payload");
    assertThat(Visitor.text(visitor.execute("reopen-any-payload", "id", "a")))
        .contains("a was reopened for any payload");
    assertThat(page("a")).contains("actions/redrive").doesNotContain("It took effect");
    redrive("a");
    assertThat(topics.ids()).containsExactly("a", "a");
    Marks.done(store, "a");
    assertThat(page("a")).contains("It took effect", "Nothing has to be done.");
  }

  @Test
  void a_redrive_stays_in_the_story_and_is_not_recommended_again() throws Exception {
    dies("a");
    assertThat(page("a"))
        .contains("Fix the cause, then redrive its record")
        .contains("name=\"topic\" value=\"" + topics.letters() + "\"");
    redrive("a");

    assertThat(page("a"))
        .contains("It was published again at", "and waits for its consumer")
        .containsPattern(REDRIVEN)
        .contains("shop.NoPrice")
        .doesNotContain("Recommended");
    Marks.done(store, "a");
    assertThat(page("a")).containsPattern(REDRIVEN).contains("It took effect", "shop.NoPrice");
    assertThat(topics.ids()).containsExactly("a", "a");
  }

  @Test
  void a_message_that_died_again_after_its_redrive_is_to_be_redriven() throws Exception {
    long offset = dies("a");
    redrive("a");
    Marks.dead(store, "a", "shop.StillNoPrice");
    topics.deadLetter(offset, "shop.StillNoPrice");
    visitor.execute("reopen", "id", "a"); // the console forgets the records that it has read

    assertThat(page("a"))
        .contains("shop.NoPrice", "shop.StillNoPrice", "actions/redrive")
        .doesNotContain("waits for its consumer");
  }

  @Test
  void a_search_of_the_topic_tells_what_became_of_an_id_without_a_mark() throws Exception {
    topics.commit(0);
    topics.publish("a");
    assertThat(page("a"))
        .contains("There is no mark. The message never ran", "The group is 1 message behind.")
        .contains("a part of it finds nothing")
        .contains("class=\"state bad\"", "No consumer is running, and 1 message waits.")
        .doesNotContain("actions/reopen");

    search("a");
    assertThat(page("a")).contains("It waits in the topic at " + topics.orders() + "-0@0");
    topics.commit(1);
    search("a");
    assertThat(page("a")).contains("The group has acknowledged it", topics.orders() + "-0@0");
    search("b");
    assertThat(page("b")).contains("the topic had no message with this id");
  }

  @Test
  void a_user_who_may_only_read_searches_the_topic() throws Exception {
    console.close();
    console = open(ConsoleSettings.standalone(Visitor.TOKEN));
    visitor = Visitor.signedIn(console);
    topics.commit(0);
    topics.publish("a");
    search("a");

    assertThat(page("a")).contains("It waits in the topic");
  }

  @Test
  void blanks_around_an_id_belong_to_it_and_are_also_tried_without() {
    Marks.dead(store, " a", "with a blank");
    Marks.claimed(store, "a", Duration.ofNanos(1));

    assertThat(page(" a"))
        .contains("value=\" a\"", "with a blank", "value=\"0x2061\"", "actions/redeliver");
    assertThat(page("a")).doesNotContain("with a blank");
    assertThat(page("0x2061")).contains("with a blank").doesNotContain("actions/redeliver");
    visitor.execute("done", "id", "0x2061");
    assertThat(Marks.of(store, " a").state()).isEqualTo(MarkState.DONE);
  }

  @Test
  void the_generation_before_is_searched_too() throws Exception {
    Marks.done(store, "a");
    Generations.advance(store, Marks.CONSUMER, 0);

    assertThat(page("a")).contains("Only the generation before has a mark", "done");
  }
}
