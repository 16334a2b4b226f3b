package io.hapax.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.hapax.console.operations.Deployment;
import io.hapax.mark.Bytes;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.operations.Broker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Shows single messages on real servers. */
class ShowCommandTest extends CommandFixture {

  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final Duration BOUND = Duration.ofMinutes(1);

  private Path log;

  @BeforeEach
  void createDeadLetterTopic() {
    log = folder.resolve("actions.jsonl");
    KAFKA.createTopic(dead, 1);
  }

  private Console shown(int code, String... more) {
    return shown(code, List.of("show"), more);
  }

  private Console shown(int code, List<String> command, String... more) {
    String[] broker = {
      "--bootstrap",
      KAFKA.bootstrapServers(),
      "--id header:order-id --topic",
      topic,
      "--group",
      group,
      "--dead-letters",
      dead,
      "--action-log",
      log.toString()
    };
    Console console = new Console(marks(broker));
    List<String> words = new ArrayList<>(command);
    words.addAll(Console.words(more));
    assertThat(console.execute(words)).as(console.out() + console.err()).isEqualTo(code);
    return console;
  }

  private void dies(String id) throws Exception {
    store.settle(List.of(new Settlement(claimed(id, 0, LEASE), new Verdict.Dead("no price"))));
    ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(dead, new byte[0]);
    header(record, "order-id", id);
    header(record, "tenant", "acme");
    header(record, "hapax-id", id);
    header(record, "hapax-coordinates", topic + "-0@0");
    header(record, "hapax-kind", "NOT_RETRYABLE");
    header(record, "hapax-detail", "no price");
    try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(producer())) {
      producer.send(record).get(30, TimeUnit.SECONDS);
    }
  }

  private static void header(ProducerRecord<byte[], byte[]> record, String name, String value) {
    record.headers().add(name, value.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void a_dead_message_has_its_story_and_the_command_that_redrives_it() throws Exception {
    dies("poison");
    String text = shown(1, "poison").out();

    assertThat(text)
        .contains("poison: It failed for good at ", "redrive its record at " + dead + "-0@0.")
        .contains("dead-letter records of it in " + dead + ": 1\n")
        .containsPattern("  \\S+ \\S+  mark +claimed: attempt 1, " + topic + "-0@0, shop-7-4711")
        .containsPattern("  \\S+ \\S+  dead letters +dead-lettered: .*NOT_RETRYABLE: no price\n");
    String command = text.lines()
        .map(String::strip)
        .filter(line -> line.startsWith("./hapax redrive"))
        .findFirst()
        .orElseThrow();
    Console redriving = new Console();
    assertThat(redriving.run(command.replace("./hapax ", "")))
        .as(redriving.err())
        .isZero();
    assertThat(redriving.out()).containsPattern("to be published: poison .*\n");
    assertThat(text).contains("./hapax stale --message poison --resolve reopen --consumer billing");
    String resolve = text.lines()
        .map(String::strip)
        .filter(line -> line.contains("force_done"))
        .findFirst()
        .orElseThrow();
    assertThat(redriving.run(resolve.replace("./hapax ", "")))
        .as(redriving.err())
        .isZero();
  }

  @Test
  void a_record_that_may_be_of_the_message_under_another_id_is_no_missing_record()
      throws Exception {
    dies("poison");

    assertThat(knowsAllRecords("header:order-id")).isTrue();
    assertThat(knowsAllRecords("header:orderid")).as("it has no id there").isFalse();
    assertThat(knowsAllRecords("header:tenant")).as("it has another id there").isFalse();
  }

  /** Returns whether all records of the message are found if ids are looked for in that place. */
  private boolean knowsAllRecords(String place) throws Exception {
    Broker broker = KafkaOptions.of(
        KAFKA.bootstrapServers(),
        new Properties(),
        ReadingSettings.of("billing", place, Format.BYTES),
        BOUND);
    Deployment deployment = Deployment.of("billing", store).with(broker, topic, group, dead);
    return new ShownSources(deployment, Optional.empty(), false)
        .letters(Bytes.utf8("poison"), Optional.empty())
        .complete();
  }

  @Test
  void a_redrive_of_the_console_is_in_the_story() throws Exception {
    dies("poison");
    Files.writeString(
        log,
        "{\"time\":\"2100-01-01T00:00:00Z\",\"who\":\"ann\",\"action\":\"redrive\",\"id\":\"all\","
            + "\"dryRun\":false,\"result\":\"job 7 ENDED, 1 published\",\"ids\":[\"poison\"]}\n");
    new Console(marks()).run("stale --message poison --resolve reopen --execute");

    assertThat(shown(0, "poison").out())
        .contains("It was published again at 2100-01-01 00:00:00 by ann")
        .containsPattern("action log +Redrive: ann, job 7 ENDED, 1 published\n");
  }

  @Test
  void a_search_says_where_a_message_without_a_mark_is() throws Exception {
    send("new");

    assertThat(shown(1, "new").out())
        .contains("new: There is no mark.", "to search the topic:\n  ./hapax show new --search");
    assertThat(shown(1, "new", "--search").out())
        .contains("The message is in the topic at " + topic + "-0@0", "offset of the group is not");
    assertThat(shown(1, "other", "--search").out()).contains("the topic had no message");
    serve(store, 1);
    assertThat(shown(0, "new").out()).contains("new: It took effect").doesNotContain("./hapax");
    send("later");
    assertThat(shown(0, "later", "--search").out())
        .contains("It waits in the topic at " + topic + "-0@1");
  }

  @Test
  void json_takes_the_place_of_the_text() throws Exception {
    dies("poison");
    JsonNode json = new JsonMapper().readTree(shown(1, "poison", "--json -").out());

    JsonNode answer = json.at("/messages/0");
    assertThat(answer.get("verdict").asText()).isEqualTo("DEAD");
    assertThat(answer.get("sentence").asText()).startsWith("It failed for good at ");
    assertThat(answer.at("/marks/0/state").asText()).isEqualTo("DEAD");
    assertThat(answer.get("events").findValuesAsText("source")).contains("mark", "dead-letters");
    assertThat(answer.at("/recommended/0/repair").asText()).isEqualTo("redrive");
    assertThat(answer.at("/recommended/0/command").asText()).startsWith("./hapax redrive");
  }

  @Test
  void blanks_around_an_id_belong_to_it_and_are_also_tried_without() {
    claimed(" a", 0, LEASE);
    claimed("a", 0, Duration.ofMillis(1));
    String text = shown(1, List.of("show", " a")).out();

    assertThat(text).contains("0x2061: A consumer", "\na: Its consumer");
    assertThat(text).contains("./hapax stale --message a --consumer billing");
  }

  @Test
  void what_is_not_said_is_not_guessed() {
    assertThat(new Console(marks()).run("show")).isEqualTo(2);
    assertThat(new Console(marks()).run("show a --topic orders")).isEqualTo(2);
    assertThat(new Console(marks()).run("show a --search")).isEqualTo(2);
    assertThat(new Console(marks()).run("show a")).isEqualTo(1);
  }
}
