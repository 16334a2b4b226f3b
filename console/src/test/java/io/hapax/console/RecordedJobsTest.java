package io.hapax.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.hapax.console.http.Response;
import io.hapax.console.kafka.OrderTopics;
import io.hapax.store.InMemoryDedupStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the action log says of jobs. */
class RecordedJobsTest {

  private static final Duration BOUND = Duration.ofMinutes(1);
  private static final JsonMapper JSON = new JsonMapper();

  @TempDir
  private Path folder;

  private final InMemoryDedupStore store = new InMemoryDedupStore();
  private final OrderTopics topics = new OrderTopics(Marks.CONSUMER);
  private Path log;
  private Console console;
  private Visitor visitor;

  @BeforeEach
  void open() throws IOException {
    log = folder.resolve("actions.jsonl");
    console = Console.open(
        ConsoleSettings.standalone(Visitor.TOKEN).allowingWrites(log), topics.deployment(store));
    visitor = Visitor.signedIn(console);
  }

  @AfterEach
  void close() {
    console.close();
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
    String plan = plan(job(visitor.form("/actions/redrive", "all", "on", "step", "plan")));
    String job = job(visitor.form("/actions/redrive", "step", "execute", "plan", plan))
        .replace("/jobs/", "job ");
    await().atMost(BOUND).until(() -> lines().size() == 4);

    assertThat(lines())
        .extracting(line -> line.get("result").asText())
        .endsWith("begins", job + " ENDED, 2 published", job + " published a, b");
    assertThat(topics.ids()).containsExactly("a", "b", "a", "b");
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
