package io.hapax.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.hapax.mark.MarkState;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Serves the console on real servers, and handles marks, dead letters and groups with it. */
class ConsoleCommandTest extends CommandFixture {

  private static final Duration OVER_AT_ONCE = Duration.ofMillis(1);

  private ServedConsole served(String... more) throws Exception {
    String[] options = marks(
        "--bootstrap",
        KAFKA.bootstrapServers(),
        "--id header:order-id --topic",
        topic,
        "--group",
        group,
        "--dead-letters",
        dead);
    return new ServedConsole(folder, Console.with(options, more));
  }

  private JsonNode written(Console console, String... command) throws Exception {
    var unused = console.run(Console.with(command, "--json", json()));
    return report();
  }

  @Test
  void its_json_is_that_of_the_other_commands() throws Exception {
    send("a", "b", "a");
    serve(store, 2);
    send("late");
    claimed("stale", 3, OVER_AT_ONCE);
    String[] reading = {
      "--bootstrap", KAFKA.bootstrapServers(), "--topic", topic, "--id header:order-id"
    };
    try (ServedConsole console = served()) {
      JsonMapper json = new JsonMapper();
      assertThat(json.readTree(console.get("/json/stale?kind=stale,in_doubt,dead")))
          .isEqualTo(written(new Console(marks()), "stale", "--kind", "stale,in_doubt,dead"));
      assertThat(json.readTree(console.get("/json/generation")))
          .isEqualTo(written(new Console(marks()), "generation"));

      var unused = console.ended(console.act("audit", "topic", topic));
      JsonNode audit = json.readTree(console.get("/json/audit"));
      assertThat(audit).isEqualTo(written(new Console(marks(reading)), "audit"));
      assertThat(audit.at("/audit/duplicates").asInt()).isEqualTo(1);
      assertThat(console.get("/duplicates")).contains("25");
    }
  }

  @Test
  void the_numbers_of_now_come_from_store_and_broker() throws Exception {
    send("a", "b");
    serve(store, 2);
    send("c", "d", "e");
    claimed("stale", 9, OVER_AT_ONCE);
    try (ServedConsole console = served()) {
      var unused = console.get("/");
      JsonNode series =
          new JsonMapper().readTree(console.get("/now/series.json")).get("series");
      assertThat(ServedConsole.last(series, "lag")).as(series.toString()).isEqualTo(3);
      assertThat(ServedConsole.last(series, "live")).isZero();
      assertThat(ServedConsole.last(series, "stale")).isEqualTo(1);
      assertThat(console.metrics()).contains("hapax_group_lag_offsets{consumer=\"billing\"} 3.0");
    }
  }

  @Test
  void a_stale_message_is_redelivered_and_a_mark_made_done_after_a_dry_run() throws Exception {
    send("lost", "charged");
    claimed("lost", 0, OVER_AT_ONCE);
    claimed("charged", 1, OVER_AT_ONCE);
    try (ServedConsole console = served("--allow-writes")) {
      assertThat(console.get("/doubt")).contains("lost", "charged", "shop-7-4711/billing");
      HttpResponse<String> planned = console.plan("done", "id", "charged");
      assertThat(state("charged")).isEqualTo(MarkState.PROCESSING);
      assertThat(console.execute("done", planned).body()).contains("charged");
      assertThat(state("charged")).isEqualTo(MarkState.DONE);

      planned = console.plan("redeliver", "id", "lost");
      assertThat(console.execute("redeliver", planned).statusCode()).isEqualTo(200);
      serve(store, 1);
      assertThat(effects).as("charged is done, lost ran once of two").hasValue(1);
      assertThat(state("lost")).isEqualTo(MarkState.DONE);
      assertThat(console.get("/id?id=lost")).contains("DONE");
    }
    List<String> log = Files.readAllLines(folder.resolve("actions.jsonl"));
    assertThat(log).hasSize(6).allSatisfy(line -> assertThat(line).contains("token@127.0.0.1"));
    assertThat(log.get(0)).contains("\"action\":\"done\"", "\"dryRun\":true", "\"planned\"");
    assertThat(log.get(1)).contains("\"id\":\"charged\"", "\"dryRun\":false", "\"begins\"");
    assertThat(log.get(2)).contains("charged was marked as done");
    assertThat(log.get(5)).contains("lost was published again");
  }

  @Test
  void a_stopped_group_is_moved_back_and_the_generation_is_moved() throws Exception {
    send("a", "b");
    serve(store, 2);
    try (ServedConsole console = served("--allow-writes")) {
      HttpResponse<String> dry =
          console.ended(console.plan("replay", "topic", topic, "group", group));
      assertThat(dry.body()).contains("messages delivered again: up to 2");
      assertThat(console.execute("replay", dry).body()).contains("The group was moved");

      HttpResponse<String> planned =
          console.plan("generation", "expected", "0", "group", group, "topic", topic);
      assertThat(console.execute("generation", planned).body()).contains("generation 1");
      assertThat(console.get("/json/generation")).contains("\"current\" : 1");
      assertThat(console.plan("generation", "expected", "0").body())
          .contains("it is in generation 1");
    }
    serve(store, 2);
    assertThat(effects).as("a new generation runs all again").hasValue(4);
  }

  @Test
  void by_default_nothing_can_be_changed_and_the_token_is_its_owners() throws Exception {
    claimed("lost", 0, OVER_AT_ONCE);
    try (ServedConsole console = served()) {
      assertThat(console.plan("done", "id", "lost").statusCode()).isEqualTo(403);
      assertThat(state("lost")).isEqualTo(MarkState.PROCESSING);
    }
    assertThat(
            PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("token"))))
        .isEqualTo("rw-------");
    assertThat(folder.resolve("actions.jsonl")).doesNotExist();
  }

  @Test
  void what_is_unsafe_is_refused_at_the_start() throws Exception {
    Console console = new Console(marks());
    Path token = folder.resolve("token");
    Files.writeString(token, "a-token-that-others-may-read\n");
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-r--r--"));

    assertThat(console.run("console --listen 0.0.0.0:0")).isEqualTo(2);
    assertThat(console.err()).contains("--listen is 0.0.0.0:0", "set --tls-keystore");
    assertThat(console.run("console --token-file", token.toString())).isEqualTo(2);
    assertThat(console.err()).contains("must be readable for its owner only");
    Files.writeString(token, "short\n");
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    assertThat(console.run("console --token-file", token.toString())).isEqualTo(2);
    assertThat(console.err()).contains("must have at least 16");
    assertThat(console.run("console --listen here")).isEqualTo(2);
    assertThat(console.run("console --listen no-such-host.invalid:0")).isEqualTo(2);
    assertThat(console.run("console --topic", topic)).isEqualTo(2);
    assertThat(console.err()).hasLineCount(6);
  }
}
