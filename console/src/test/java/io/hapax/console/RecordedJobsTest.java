package io.hapax.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.IntNode;
import io.hapax.console.http.Response;
import io.hapax.console.kafka.OrderTopics;
import io.hapax.console.operations.Deployment;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the action log says of jobs. */
class RecordedJobsTest extends ConsoleFixture {

  private static final Duration BOUND = Duration.ofMinutes(1);
  private static final JsonMapper JSON = new JsonMapper();

  private final OrderTopics topics = new OrderTopics(Marks.CONSUMER);
  private Visitor visitor;

  @Override
  Deployment deployment() {
    return topics.deployment(store);
  }

  @BeforeEach
  void signIn() {
    visitor = Visitor.signedIn(console);
  }

  private List<JsonNode> lines() throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : Files.readAllLines(log)) {
      lines.add(JSON.readTree(line));
    }
    return lines;
  }

  private static String job(Response started) {
    assertThat(started.status()).isEqualTo(303);
    return started.header("Location").orElseThrow();
  }

  /** Awaits the dry run of a job, and returns what executes it. */
  private String plan(String job) {
    await().atMost(BOUND).until(() -> Visitor.text(visitor.get(job)).contains("name=\"plan\""));
    return Visitor.plan(visitor.get(job));
  }

  @Test
  void a_redrive_is_recorded_with_the_ids_that_it_has_published() throws Exception {
    for (String id : List.of("a", "b")) {
      topics.deadLetter(topics.publish(id), "shop.NoPrice");
      Marks.dead(store, id, "shop.NoPrice");
    }
    assertThat(Visitor.text(visitor.get("/deadletters"))).contains("shop.NoPrice", "group=");
    String plan = plan(job(visitor.form("/actions/redrive", "all", "on", "step", "plan")));
    String job = job(visitor.form("/actions/redrive", "step", "execute", "plan", plan))
        .replace("/jobs/", "job ");
    await().atMost(BOUND).until(() -> lines().size() == 3);

    assertThat(lines())
        .extracting(line -> line.get("result").asText())
        .endsWith("begins", job + " ENDED, 2 published");
    assertThat(lines())
        .extracting(line -> line.get("ids").toString())
        .containsExactly("[]", "[\"a\",\"b\"]", "[\"a\",\"b\"]");
    assertThat(topics.ids()).containsExactly("a", "b", "a", "b");
    assertThat(JSON.readTree(Visitor.text(visitor.get("/json/redrive"))).at("/redrive/published"))
        .isEqualTo(IntNode.valueOf(2));
  }

  @Test
  void a_stop_is_recorded_with_its_user() throws Exception {
    String job = job(visitor.form("/actions/audit", "topic", topics.orders()));
    assertThat(visitor.form(job + "/stop").status()).isEqualTo(303);

    assertThat(lines()).singleElement().satisfies(line -> {
      assertThat(line.get("action").asText()).isEqualTo("stop");
      assertThat(line.get("id").asText()).isEqualTo("audit");
      assertThat(line.get("who").asText()).isNotEmpty();
      assertThat(line.get("result").asText()).startsWith(job.replace("/jobs/", "job ") + ": ");
    });
  }
}
