package io.hapax.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.hapax.IdempotentReceiver;
import io.hapax.errors.RejectedMessageException;
import io.hapax.kafka.KafkaDeadLetterPublisher;
import io.hapax.kafka.KafkaFingerprints;
import io.hapax.kafka.KafkaIds;
import io.hapax.kafka.KafkaReceiver;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.redis.RedisDedupStore;
import io.hapax.store.DedupStore;
import io.lettuce.core.RedisURI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Serves the console on real servers, and handles marks, dead letters and groups with it. */
class ConsoleCommandTest extends CommandFixture {

  private static final Duration OVER_AT_ONCE = Duration.ofMillis(1);

  @TempDir
  private Path folder;

  private DedupStore store;

  @BeforeEach
  void open() {
    store =
        RedisDedupStore.builder(RedisURI.create(redis.uri())).namespace(topic).build();
  }

  @AfterEach
  void close() {
    store.close();
  }

  private ServedConsole served(String... more) throws Exception {
    List<String> options = new ArrayList<>(List.of(
        "--consumer billing --store",
        redis.uri(),
        "--store-namespace",
        topic,
        "--bootstrap",
        KAFKA.bootstrapServers(),
        "--id header:order-id --topic",
        topic,
        "--group",
        group,
        "--dead-letters",
        topic + ".dead"));
    options.addAll(List.of(more));
    return new ServedConsole(folder, options.toArray(String[]::new));
  }

  private Console typed(String... always) {
    List<String> options = new ArrayList<>(
        List.of("--consumer billing --store", redis.uri(), "--store-namespace", topic));
    options.addAll(List.of(always));
    return new Console(options.toArray(String[]::new));
  }

  /** Claims a message as a consumer that has vanished. */
  private void claimed(String id, long offset) {
    ClaimRequest request = new ClaimRequest(
        MessageKey.of("billing", id),
        new Nonce(7, offset),
        Fingerprint.NONE,
        new Origin("shop-7-4711/billing", topic + "-0@" + offset),
        new ClaimTerms(false, true, ClaimTerms.ANY_TIME));
    assertThat(store.claim(List.of(request), OVER_AT_ONCE).get(0)).isInstanceOf(Acquired.class);
  }

  private MarkState state(String id) {
    return store
        .find(List.of(MessageKey.of("billing", id)))
        .get(0)
        .orElseThrow()
        .state();
  }

  private JsonNode written(Console console, String... command) throws Exception {
    Path json = folder.resolve("report.json");
    List<String> all = new ArrayList<>(List.of(command));
    all.addAll(List.of("--json", json.toString()));
    var unused = console.run(all.toArray(String[]::new));
    return new JsonMapper().readTree(json.toFile());
  }

  @Test
  void its_json_is_that_of_the_other_commands() throws Exception {
    KAFKA.createTopic(topic, 1);
    send("a", "b", "a");
    serve(store, 2);
    send("late");
    claimed("stale", 3);
    String[] reading = {
      "--bootstrap", KAFKA.bootstrapServers(), "--topic", topic, "--id header:order-id"
    };
    try (ServedConsole console = served()) {
      JsonMapper json = new JsonMapper();
      assertThat(json.readTree(console.get("/json/stale?kind=stale,in_doubt,dead")))
          .isEqualTo(written(typed(), "stale", "--kind", "stale,in_doubt,dead"));
      assertThat(json.readTree(console.get("/json/generation")))
          .isEqualTo(written(typed(), "generation"));

      var unused = console.ended(console.act("audit", "topic", topic));
      JsonNode audit = json.readTree(console.get("/json/audit"));
      assertThat(audit).isEqualTo(written(typed(reading), "audit"));
      assertThat(audit.at("/audit/duplicates").asInt()).isEqualTo(1);
      assertThat(console.get("/duplicates")).contains("25");
    }
  }

  @Test
  void the_numbers_of_now_come_from_store_and_broker() throws Exception {
    KAFKA.createTopic(topic, 1);
    send("a", "b");
    serve(store, 2);
    send("c", "d", "e");
    claimed("stale", 9);
    try (ServedConsole console = served()) {
      var unused = console.get("/");
      JsonNode series =
          new JsonMapper().readTree(console.get("/now/series.json")).get("series");
      assertThat(ServedConsole.last(series, "lag")).as(series.toString()).isEqualTo(3);
      assertThat(ServedConsole.last(series, "live")).isZero();
      assertThat(ServedConsole.last(series, "stale")).isEqualTo(1);
      assertThat(ServedConsole.last(series, "problems")).isZero();
      assertThat(console.metrics()).contains("hapax_group_lag_offsets{consumer=\"billing\"} 3.0");
    }
  }

  @Test
  void a_stale_message_is_redelivered_and_a_mark_made_done_after_a_dry_run() throws Exception {
    KAFKA.createTopic(topic, 1);
    send("lost", "charged");
    claimed("lost", 0);
    claimed("charged", 1);
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
    assertThat(log)
        .hasSize(6)
        .allSatisfy(line -> assertThat(line).contains("token from 127.0.0.1"));
    assertThat(log.get(0)).contains("\"action\":\"done\"", "\"dryRun\":true", "\"planned\"");
    assertThat(log.get(1)).contains("\"id\":\"charged\"", "\"dryRun\":false", "\"begins\"");
    assertThat(log.get(2)).contains("charged was marked as done");
    assertThat(log.get(5)).contains("lost was published again");
  }

  @Test
  void a_group_of_dead_letters_is_redriven_and_runs_once() throws Exception {
    String dead = topic + ".dead";
    KAFKA.createTopic(topic, 1);
    KAFKA.createTopic(dead, 1);
    AtomicBoolean mended = new AtomicBoolean();
    OutcomeLatch outcome = new OutcomeLatch();
    try (var publisher = KafkaDeadLetterPublisher.<byte[], byte[]>to(dead, producer());
        var receiver = IdempotentReceiver.<ConsumerRecord<byte[], byte[]>>builder("billing")
            .id(KafkaIds.header("order-id"))
            .fingerprint(KafkaFingerprints.value())
            .deadLetters(publisher)
            .listener(outcome)
            .leased(store, delivery -> {
              if (!mended.get()) {
                throw new RejectedMessageException("no price for order " + delivery.messageId());
              }
              effects.incrementAndGet();
            });
        var service = KafkaReceiver.start(receiver, consumer(), List.of(topic));
        ServedConsole console = served("--allow-writes")) {
      send("poison");
      outcome.awaitDeath();
      mended.set(true);

      String page = console.get("/deadletters");
      assertThat(page).contains("RejectedMessageException").doesNotContain("no price for order");
      Matching group = Matching.of("[?&;]group=([0-9a-f]+)", page);
      HttpResponse<String> dry =
          console.ended(console.plan("redrive", "group", group.first(), "to", topic));
      assertThat(effects).hasValue(0);
      assertThat(dry.body()).contains("to be published");

      HttpResponse<String> done = console.ended(console.execute("redrive", dry));
      outcome.awaitDone();
      assertThat(effects).hasValue(1);
      assertThat(done.body()).contains("published");
      assertThat(new JsonMapper()
              .readTree(console.get("/json/redrive"))
              .at("/redrive/published")
              .asInt())
          .isEqualTo(1);
      assertThat(service.problems()).isEmpty();
    }
    assertThat(Files.readString(folder.resolve("actions.jsonl")))
        .contains("\"begins\"")
        .contains("ENDED");
  }

  @Test
  void a_stopped_group_is_moved_back_and_the_generation_is_moved() throws Exception {
    KAFKA.createTopic(topic, 1);
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
    KAFKA.createTopic(topic, 1);
    claimed("lost", 0);
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
    Console console = typed();
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

  /** The first group of a pattern. */
  private record Matching(String first) {
    static Matching of(String pattern, String text) {
      var matcher = java.util.regex.Pattern.compile(pattern).matcher(text);
      assertThat(matcher.find()).as(pattern + " in " + text).isTrue();
      return new Matching(matcher.group(1));
    }
  }
}
