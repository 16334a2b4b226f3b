package io.hapax.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.IntNode;
import io.hapax.console.http.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the action log says of jobs. */
class RecordedJobsTest extends TopicsFixture {

  private static final JsonMapper JSON = new JsonMapper();

  private List<JsonNode> lines() throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : Files.readAllLines(log)) {
      lines.add(JSON.readTree(line));
    }
    return lines;
  }

  @Test
  void a_redrive_is_recorded_with_the_ids_that_it_has_published() throws Exception {
    dies("a");
    dies("b");
    assertThat(Visitor.text(visitor.get("/deadletters"))).contains("shop.NoPrice", "group=");
    Response dryRun = ended(visitor.planned("redrive", "all", "on"));
    String job = job(visitor.confirmed("redrive", dryRun)).replace("/jobs/", "job ");
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
