package io.hapax.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.zaxxer.hikari.HikariDataSource;
import io.hapax.IdExtractor;
import io.hapax.generation.Generations;
import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.kafka.KafkaIds;
import io.hapax.servers.LocalPostgres;
import io.hapax.servers.LocalRedis;
import io.hapax.store.DedupStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Runs the commands on real servers. */
class CommandTest extends CommandFixture {

  private static LocalPostgres postgres;

  private final Console console = console(topic);
  private final Console ofMarks =
      new Console(marks("--broker kafka --bootstrap", KAFKA.bootstrapServers(), "--topic", topic));

  @BeforeAll
  static void startPostgres() {
    postgres = LocalPostgres.start();
  }

  @AfterAll
  static void stopPostgres() {
    postgres.close();
  }

  private static HikariDataSource database() {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(postgres.jdbcUrl());
    pool.setUsername(postgres.username());
    pool.setPassword(postgres.password());
    pool.setMaximumPoolSize(4);
    return pool;
  }

  @Test
  void an_audit_against_redis_ends_with_0_only_if_nothing_would_run_again() throws Exception {
    send("a", "b", "a");
    serve(store, 2);

    assertThat(ofMarks.run("audit --id header:order-id")).isZero();
    assertThat(ofMarks.out())
        .containsPattern("messages +3\n")
        .containsPattern("done +2\n")
        .containsPattern("WOULD RUN AGAIN +0\n");
    send("new");
    assertThat(ofMarks.run("audit --id value:/order/id")).isEqualTo(1);
    assertThat(ofMarks.out()).contains("unknown: new at " + topic + "-0@3");
  }

  @Test
  void an_audit_reads_ids_within_their_topic_as_listeners_of_spring_have_them() throws Exception {
    send("within-a", "within-b");
    serve(store, 2, IdExtractor.within(ConsumerRecord::topic, KafkaIds.header("order-id")));

    assertThat(ofMarks.run("audit --id topic/header:order-id")).isZero();
    assertThat(ofMarks.out()).containsPattern("done +2\n");
    assertThat(ofMarks.run("audit --id header:order-id"))
        .as("the ids are those within the topic")
        .isEqualTo(3);
  }

  @Test
  void a_wrong_place_of_the_id_is_no_all_clear() throws Exception {
    send("place-a", "place-b");
    serve(store, 2);
    String[] replay = {"replay --id header:orderid --execute --group", group};

    assertThat(ofMarks.run("audit --id header:orderid")).isEqualTo(3);
    assertThat(ofMarks.err())
        .contains("is the place of the id (--id) right? 2 of 2 messages have no id; the first one,")
        .contains("the headers order-id");
    assertThat(ofMarks.run(replay)).isEqualTo(3);
    assertThat(ofMarks.out()).contains("Nothing was moved").doesNotContain("was moved. Start");
    assertThat(ofMarks.run(Console.with(replay, "--accept"))).isZero();
  }

  @Test
  void a_consumer_that_the_store_does_not_know_is_no_all_clear() throws Exception {
    send("unknown-a");
    Console wrong = new Console("--consumer biling --store", redis.uri());
    String[] audit = {
      "audit --id header:order-id --topic", topic, "--bootstrap", KAFKA.bootstrapServers()
    };

    assertThat(wrong.run(audit)).isEqualTo(3);
    assertThat(wrong.run("stale")).isEqualTo(3);
    assertThat(wrong.err())
        .contains("neither an open nor a dead mark of the consumer biling: are --consumer and"
            + " --store right? None of the ids has a mark: is --id right?")
        .contains("If they are, --accept-none ends with 0");
    assertThat(wrong.run("stale --accept-none")).isZero();
    assertThat(wrong.run("generation")).isZero();
    assertThat(wrong.out()).contains("Note: the store has neither");
  }

  @Test
  void commands_that_only_look_write_nothing_into_an_empty_redis() throws Exception {
    send("a");
    Console others = new Console("--consumer billing");
    try (LocalRedis empty = LocalRedis.start()) {
      String[] audit = {"audit --id header:order-id --store", empty.uri()};

      assertThat(console.run(audit)).as(console.err()).isEqualTo(3);
      assertThat(console.run(Console.with(audit, "--store-compact 1000000"))).isEqualTo(3);
      assertThat(empty.command("DBSIZE")).isEqualTo("0");
      assertThat(others.run("stale --kind stale,in_doubt,dead --store", empty.uri()))
          .as(others.err())
          .isEqualTo(3);
      assertThat(others.run("generation --store", empty.uri())).isZero();
      assertThat(empty.command("DBSIZE")).isEqualTo("0");
    }
  }

  @Test
  void as_many_messages_are_named_as_is_said_and_a_program_reads_every_count() throws Exception {
    send("first", "second", "third");

    assertThat(ofMarks.run("audit --id header:order-id --samples 1 --json", json()))
        .as(ofMarks.err())
        .isEqualTo(3);

    assertThat(ofMarks.out())
        .contains("unknown: first at " + topic + "-0@0")
        .doesNotContain("second at", "third at");
    JsonNode report = report().get("audit");
    assertThat(report.get("messages").asInt()).isEqualTo(3);
    assertThat(report.get("wouldRunAgain").asInt()).isEqualTo(3);
    assertThat(report.at("/ids/unknown").asInt()).isEqualTo(3);
    assertThat(report.get("samples")).hasSize(1);
    assertThat(report.at("/ranges/0/to").asInt()).isEqualTo(3);
  }

  @Test
  void a_replay_on_postgres_is_dry_at_first_and_then_has_no_effect() throws Exception {
    send("a", "b");
    Path password = Files.writeString(folder.resolve("password"), postgres.password() + "\n");
    String[] replay = {
      "replay --id header:order-id --group",
      group,
      "--store",
      postgres.jdbcUrl(),
      "--store-user",
      postgres.username(),
      "--store-password-file",
      password.toString(),
      "--json",
      json()
    };
    try (HikariDataSource pool = database();
        DedupStore store = JdbcDedupStore.builder(pool).createIfAbsent().build()) {
      serve(store, 2);

      assertThat(console.run(replay)).isZero();
      assertThat(console.out())
          .contains(topic + "-0: 2 -> 0, end 2", "dry run", "messages delivered again: up to 2");
      JsonNode dry = report();
      assertThat(dry.at("/replay/moved").asBoolean()).isFalse();
      assertThat(dry.at("/again/ids/done").asInt()).isEqualTo(2);

      assertThat(console.run(Console.with(replay, "--execute"))).isZero();
      assertThat(report().at("/replay/moved").asBoolean()).isTrue();
      send("c");
      serve(store, 1);
      assertThat(effects).as("a and b came again and had no effect").hasValue(3);
    }
  }

  @Test
  void a_replay_that_would_run_something_again_moves_nothing_unless_accepted() throws Exception {
    send("a");
    serve(store, 1);
    String[] replay = {
      "replay --id header:order-id --group", group, "--store", redis.uri(), "--execute"
    };

    assertThat(console.run(replay)).as("no mark in this namespace").isEqualTo(3);
    assertThat(console.out()).contains("Nothing was moved").containsPattern("WOULD RUN AGAIN +1");
    assertThat(console.run(Console.with(replay, "--accept"))).isZero();
    assertThat(console.out()).contains("The group was moved");
  }

  /** The other payload was not read yet, so it has no dead-letter record either. */
  @Test
  void a_move_past_another_payload_moves_nothing_unless_accepted() throws Exception {
    send("a", "b");
    serve(store, 2);
    String[] replay = {"replay --id header:order-id --execute --group", group};
    assertThat(ofMarks.run(replay)).isZero();
    ProducerRecord<byte[], byte[]> other = new ProducerRecord<>(topic, new byte[] {1});
    other.headers().add("order-id", "a".getBytes(StandardCharsets.UTF_8));
    try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(producer())) {
      producer.send(other).get(30, TimeUnit.SECONDS);
    }
    String[] forwards = Console.with(replay, "--from 2100-01-01T00:00:00Z");

    assertThat(ofMarks.run(forwards)).isEqualTo(1);
    assertThat(ofMarks.out()).contains("Nothing was moved").containsPattern("conflicts +1 ");
    assertThat(ofMarks.run(Console.with(forwards, "--accept"))).isZero();
  }

  /** Moves the generation as soon as an audit has read a message. */
  public static final class MovesOn extends Broken {

    private static Runnable move = () -> {};

    @Override
    public ConsumerRecords<Object, Object> onConsume(ConsumerRecords<Object, Object> records) {
      if (!records.isEmpty()) {
        move.run();
      }
      return records;
    }
  }

  @Test
  void a_generation_that_another_operator_moves_during_the_audit_refuses_the_replay()
      throws Exception {
    send("a");
    serve(store, 1);
    Path settings = Files.writeString(
        folder.resolve("client.properties"), "interceptor.classes=" + MovesOn.class.getName());
    MovesOn.move = () -> Generations.advance(store, "billing", 0);

    assertThat(ofMarks.run(
            "replay --id header:order-id --execute --group",
            group,
            "--broker-config",
            settings.toString()))
        .isEqualTo(3);
    assertThat(ofMarks.out()).containsPattern("WOULD RUN AGAIN +0\n").doesNotContain("was moved.");
    assertThat(ofMarks.err()).contains("Nothing was moved: the consumer is in another generation");
  }

  /** Fails as if a part of the class path were missing. */
  public static class Broken implements ConsumerInterceptor<Object, Object> {

    @Override
    public ConsumerRecords<Object, Object> onConsume(ConsumerRecords<Object, Object> records) {
      throw new NoClassDefFoundError("io/netty/Missing");
    }

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

    @Override
    public void close() {}

    @Override
    public void configure(Map<String, ?> settings) {}
  }

  @Test
  void what_breaks_the_command_itself_is_no_verdict() throws Exception {
    send("a");
    Path settings = Files.writeString(
        folder.resolve("client.properties"), "interceptor.classes=" + Broken.class.getName());

    assertThat(console.run(
            "audit --id header:order-id --store",
            redis.uri(),
            "--broker-config",
            settings.toString()))
        .isEqualTo(3);
    assertThat(console.err()).contains("NoClassDefFoundError").hasLineCount(1);
    assertThat(console.out()).isEmpty();
  }

  @Test
  void what_does_not_exist_is_a_misuse() {
    Console wrong = console("no-such-topic");

    assertThat(wrong.run("audit --id key --store", redis.uri())).isEqualTo(2);
    assertThat(wrong.err()).contains("topic no-such-topic does not exist");
  }

  @Test
  void a_broker_that_does_not_answer_is_no_verdict() {
    Console silent = new Console("--bootstrap 127.0.0.1:1 --topic", topic, "--consumer billing");

    assertThat(silent.run("audit --id key --store", redis.uri(), "--patience PT1S"))
        .isEqualTo(3);
    assertThat(silent.out()).isEmpty();
  }
}
