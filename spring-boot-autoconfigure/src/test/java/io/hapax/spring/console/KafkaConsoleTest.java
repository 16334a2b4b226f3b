package io.hapax.spring.console;

import static io.hapax.spring.console.MountedConsole.hidden;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hapax.mark.MarkState;
import io.hapax.mark.Origin;
import io.hapax.mark.Resolution;
import io.hapax.spring.kafka.Broker;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The console of an application shows the brokers of its listeners and operates on them. */
class KafkaConsoleTest extends KafkaConsoleFixture {

  @Test
  void a_message_that_failed_for_good_runs_after_a_dry_run_and_a_redrive() throws Exception {
    shop().breaks("poison");
    order("poison");
    String id = orders + "/poison";
    console.awaitState(id, MarkState.DEAD);

    assertThat(operator.get("/deadletters").body())
        .contains(orders + "-dlt", "RejectedMessageException")
        .contains("name=\"to\" value=\"" + orders + "\"");
    assertThat(operator.get("/id?id=" + id).body()).contains("/actions/redrive");
    String planned = redrive(operator, orders + "-dlt", id, orders);
    assertThat(planned).contains("This was a dry run, nothing was published.");
    assertThat(marks().find(id).orElseThrow().state()).isEqualTo(MarkState.DEAD);

    shop().mend("poison");
    assertThat(operator.execute("redrive", planned)).containsPattern("published +1\n");
    await().atMost(BOUND).until(() -> shop().count("poison") == 1);
    console.awaitState(id, MarkState.DONE);
    assertThat(Files.readString(folder.resolve("actions-billing.jsonl")))
        .contains("\"who\":\"ann\",\"action\":\"redrive\",\"id\":\"" + id + "\"");
  }

  @Test
  void an_audit_of_a_user_without_the_role_finds_each_message_by_the_listeners_own_id()
      throws Exception {
    for (String payment : List.of("p1", "p2", "p1")) {
      Broker.send(payments, 0, payment, payment);
    }
    await().atMost(BOUND).until(() -> Broker.committed("cashier", payments, 0) == 3);

    assertThat(reader.search(payments, payments + "/p1"))
        .containsPattern("messages +2 ")
        .containsPattern("@0, sent at \\S+: acknowledged\n");
    assertThat(reader.audit(payments)).contains("topic " + payments + ", from the beginning");
    JsonNode audit =
        new ObjectMapper().readTree(reader.get("/json/audit").body()).get("audit");
    assertThat(audit.get("messages").asLong()).isEqualTo(3);
    assertThat(audit.at("/ids/done").asLong()).isEqualTo(2);
    assertThat(audit.get("duplicates").asLong()).isEqualTo(1);
    assertThat(audit.get("conflicts").asLong()).isZero();
    assertThat(audit.get("wouldRunAgain").asLong()).isZero();
  }

  @Test
  void the_message_of_an_open_mark_is_redelivered() throws Exception {
    order("again");
    String id = orders + "/again";
    abandon(id, "again");

    String planned = operator.plan("redeliver", "id", id);
    assertThat(planned).contains(id + " would be published again");
    assertThat(shop().count("again")).isEqualTo(1);
    assertThat(operator.execute("redeliver", planned)).contains(id + " was published again");

    await().atMost(BOUND).until(() -> shop().count("again") == 2);
    console.awaitState(id, MarkState.DONE);
  }

  @Test
  void the_message_of_an_open_mark_is_dead_lettered_to_the_topic_of_its_own_listener()
      throws Exception {
    Broker.send(refunds, 0, "hopeless", "hopeless");
    String id = refunds + "/hopeless";
    abandon(id, "hopeless");

    String planned = operator.plan("dead-letter", "id", id);
    assertThat(planned).contains("would be published to " + refunds + "-dlt");
    assertThat(operator.execute("dead-letter", planned))
        .contains("was published to " + refunds + "-dlt");

    assertThat(Broker.read(refunds + "-dlt", it -> it.key().equals("hopeless")).value())
        .isEqualTo("hopeless");
    console.awaitState(id, MarkState.DEAD);
  }

  @Test
  void a_message_outside_of_the_topics_of_the_listeners_is_not_redelivered() throws Exception {
    console.kill("elsewhere");
    assertThat(marks().resolve("elsewhere", Resolution.REOPEN)).isEmpty();
    assertThat(operator.plan("redeliver", "id", "elsewhere"))
        .contains("its message is at orders-0@17, which no listener of billing reads");
  }

  @Test
  void a_consumer_in_shadow_mode_gets_no_message_again() throws Exception {
    try (MountedConsole observing = start(
        Broker.servers(),
        "--spring.kafka.listener.auto-startup=false",
        "--hapax.consumers.billing.shadow=true")) {
      ConsoleUser user = new ConsoleUser(observing, "ann operator");
      String open = orders + "/open";
      observing.leaveOpen(open, new Origin("shop-7-4711/billing", orders + "-0@0"));
      for (String action : List.of("redeliver", "dead-letter")) {
        assertThat(user.plan(action, "id", open)).as(action).contains("is in shadow mode");
      }

      shop().breaks("held");
      order("held");
      String dead = orders + "/held";
      console.awaitState(dead, MarkState.DEAD);
      observing.kill(dead);
      String planned = redrive(user, orders + "-dlt", dead, orders);
      assertThat(user.execute("redrive", planned)).contains("is in shadow mode");
      assertThat(observing.state(dead)).isEqualTo(MarkState.DEAD);
    }
  }

  @Test
  void a_user_without_the_role_redrives_nothing() throws Exception {
    for (String action : List.of("redrive", "redeliver", "dead-letter")) {
      HttpResponse<String> refused =
          reader.post(action, "step", "plan", "topic", orders + "-dlt", "all", "on", "id", "x");
      assertThat(refused.statusCode()).as(action).isEqualTo(403);
    }
  }

  @Test
  void a_redrive_publishes_to_no_topic_that_its_listener_does_not_read() throws Exception {
    Broker.createTopic("foreign-to-" + orders);
    for (String foreign :
        List.of("foreign-to-" + orders, payments, orders + ",foreign-to-" + orders)) {
      assertThat(redrive(operator, orders + "-dlt", "any", foreign))
          .contains("the redrive may publish to ")
          .contains("but within the application only to topics of the listener whose dead letters"
              + " are in " + orders + "-dlt: " + orders)
          .doesNotContain("name=\"plan\"");
    }
    assertThat(redrive(operator, "foreign-to-" + orders, "any", orders))
        .contains("the dead-letter topic is foreign-to-" + orders
            + " but must be one to which Hapax publishes the dead letters of billing");
    assertThat(redrive(operator, refunds + "-dlt", "any", refunds + ", " + payments))
        .contains("This was a dry run");
  }

  @Test
  void an_audit_reads_no_foreign_topic() throws Exception {
    assertThat(operator.audit(orders + "-dlt"))
        .contains("topic is " + orders + "-dlt but must be one that a listener of billing reads: "
            + orders + ", " + payments + ", " + refunds);
  }

  @Test
  void a_group_of_a_running_application_is_not_moved() throws Exception {
    assertThat(operator.get("/replay").body())
        .contains("/actions/audit", "The group can be moved only while all instances")
        .doesNotContain("/actions/replay");
    assertThat(operator.post("replay", "step", "plan", "topic", orders).statusCode())
        .isEqualTo(404);
  }

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
          .untilAsserted(
              () -> assertThat(user.get("/").body()).contains("Reading from the broker"));
    }
  }
}
