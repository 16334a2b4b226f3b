package io.hapax.spring.console;

import static io.hapax.spring.console.MountedConsole.hidden;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hapax.mark.MarkState;
import io.hapax.spring.kafka.Broker;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the pages of an application show of the brokers of its listeners. */
class KafkaConsolePagesTest extends KafkaConsoleFixture {

  @Test
  void the_page_of_another_dead_letter_topic_redrives_to_the_topic_of_its_messages()
      throws Exception {
    shop().breaks("bad refund");
    Broker.send(refunds, 0, "refund-1", "bad refund");
    String id = refunds + "/refund-1";
    console.awaitState(id, MarkState.DEAD);

    HttpResponse<String> page = operator.get("/deadletters?topic=" + refunds + "-dlt");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(hidden("topic", page.body())).isEqualTo(refunds + "-dlt");
    assertThat(hidden("to", page.body())).isEqualTo(refunds);
    String planned = redrive(operator, hidden("topic", page.body()), id, hidden("to", page.body()));

    shop().mend("bad refund");
    assertThat(operator.execute("redrive", planned)).containsPattern("published +1\n");
    await().atMost(BOUND).until(() -> shop().count("bad refund") == 1);
    console.awaitState(id, MarkState.DONE);
  }

  @Test
  void a_foreign_dead_letter_topic_is_refused_with_the_reason() throws Exception {
    HttpResponse<String> page = operator.get("/deadletters?topic=foreign");
    assertThat(page.statusCode()).isEqualTo(400);
    assertThat(page.body()).contains("the dead-letter topic is foreign but must be one to which");
  }

  @Test
  void one_id_has_the_dead_letter_record_of_the_topic_of_its_own_message() throws Exception {
    shop().breaks("another bad refund");
    Broker.send(refunds, 0, "refund-2", "another bad refund");
    String id = refunds + "/refund-2";
    console.awaitState(id, MarkState.DEAD);

    String page = operator.get("/id?id=" + id).body();
    assertThat(page).contains(refunds + "-dlt-0@", "RejectedMessageException");
    assertThat(hidden("topic", page)).isEqualTo(refunds + "-dlt");
    String planned = operator.plan("redrive", "id", id, "topic", hidden("topic", page));
    assertThat(planned).containsPattern("published +1\n").contains("name=\"plan\"");
  }

  @Test
  void an_id_without_a_mark_may_be_in_a_dead_letter_topic_that_was_not_searched() throws Exception {
    assertThat(operator.get("/id?id=unknown").body())
        .contains("No record was found in " + orders + "-dlt.")
        .doesNotContain("There is no dead-letter record")
        .contains("There is no mark.", "/actions/search");
  }

  @Test
  void the_lag_and_the_members_of_both_groups_are_shown() {
    await().atMost(BOUND).untilAsserted(() -> {
      JsonNode series =
          new ObjectMapper().readTree(reader.get("/now/series.json").body()).get("series");
      assertThat(series.path("live").path(series.path("live").size() - 1).asLong())
          .isEqualTo(2);
      assertThat(series.path("lag").path(series.path("lag").size() - 1).isNumber())
          .isTrue();
    });
  }

  @Test
  void the_lag_of_a_group_is_shown_although_another_listener_has_no_topic_and_no_group()
      throws Exception {
    Broker.send(refunds, 0, "refund-3", "refund-3"); // so that the group has an offset
    console.awaitState(refunds + "/refund-3", MarkState.DONE);
    try (MountedConsole second = start(
        List.of(ConsoleApplication.class, Shop.class, Archive.class),
        Broker.servers(),
        "--spring.kafka.listener.auto-startup=false")) {
      ConsoleUser user = new ConsoleUser(second, "ann operator");
      await().atMost(BOUND).untilAsserted(() -> {
        JsonNode series =
            new ObjectMapper().readTree(user.get("/now/series.json").body()).get("series");
        assertThat(series.path("lag").path(series.path("lag").size() - 1).isNumber())
            .isTrue();
      });
    }
  }

  @Test
  void the_settings_name_the_broker_and_its_topics() throws Exception {
    assertThat(reader.get("/consumers").body())
        .contains("kafka at " + Broker.servers(), orders, "billing", orders + "-dlt");
  }

  @Test
  void a_broker_that_does_not_answer_breaks_no_page_of_the_store() throws Exception {
    try (MountedConsole lonely = start(
        "localhost:1",
        "--spring.kafka.listener.auto-startup=false",
        "--spring.kafka.properties.request.timeout.ms=500",
        "--spring.kafka.properties.default.api.timeout.ms=1000")) {
      lonely.kill("broken");
      ConsoleUser user = new ConsoleUser(lonely, "ann operator");

      HttpResponse<String> letters = user.get("/deadletters");
      assertThat(letters.statusCode()).isEqualTo(503);
      assertThat(letters.body()).contains("The store or the broker did not answer");
      assertThat(user.get("/id?id=broken").body())
          .contains("DEAD", "/actions/reopen", "The dead-letter topic cannot be read:");
      for (String page : List.of("/", "/doubt", "/duplicates", "/conflicts", "/consumers")) {
        assertThat(user.get(page).statusCode()).as(page).isEqualTo(200);
      }
      await()
          .atMost(BOUND)
          .untilAsserted(() -> assertThat(user.get("/").body()).contains("The broker does not"));
    }
  }
}
