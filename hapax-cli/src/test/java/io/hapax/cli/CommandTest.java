package io.hapax.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.zaxxer.hikari.HikariDataSource;
import io.hapax.IdempotentReceiver;
import io.hapax.RejectedMessageException;
import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.kafka.KafkaDeadLetterPublisher;
import io.hapax.kafka.KafkaFingerprints;
import io.hapax.kafka.KafkaIds;
import io.hapax.kafka.KafkaReceiver;
import io.hapax.redis.RedisDedupStore;
import io.hapax.servers.LocalKafka;
import io.hapax.servers.LocalPostgres;
import io.hapax.servers.LocalRedis;
import io.hapax.store.DedupStore;
import io.lettuce.core.RedisURI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands, as a user types them, on real servers. */
@Timeout(180)
class CommandTest {

  private static final AtomicInteger NUMBERS = new AtomicInteger();
  private static LocalKafka kafka;
  private static LocalRedis redis;
  private static LocalPostgres postgres;

  private final String topic = "orders-" + NUMBERS.incrementAndGet();
  private final String group = "billing-" + topic;
  private final Console console = console(topic);
  private final AtomicInteger effects = new AtomicInteger();

  @TempDir
  private Path folder;

  @BeforeAll
  static void start() {
    kafka = LocalKafka.start();
    redis = LocalRedis.start();
    postgres = LocalPostgres.start();
  }

  @AfterAll
  static void stop() {
    kafka.close();
    redis.close();
    postgres.close();
  }

  private static Console console(String topic) {
    return new Console(
        "--broker",
        "kafka",
        "--bootstrap",
        kafka.bootstrapServers(),
        "--topic",
        topic,
        "--consumer",
        "billing");
  }

  private static HikariDataSource database() {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(postgres.jdbcUrl());
    pool.setUsername(postgres.username());
    pool.setPassword(postgres.password());
    pool.setMaximumPoolSize(4);
    return pool;
  }

  private void send(String... ids) throws Exception {
    Map<String, Object> settings = Map.of(
        "bootstrap.servers",
        kafka.bootstrapServers(),
        "key.serializer",
        StringSerializer.class,
        "value.serializer",
        StringSerializer.class);
    try (KafkaProducer<String, String> producer = new KafkaProducer<>(settings)) {
      for (String id : ids) {
        ProducerRecord<String, String> record =
            new ProducerRecord<>(topic, "customer", "{\"order\":{\"id\":\"" + id + "\"}}");
        record.headers().add("order-id", id.getBytes(StandardCharsets.UTF_8));
        producer.send(record).get(30, TimeUnit.SECONDS);
      }
    }
  }

  /** The service: handles so many new messages, and stops. */
  private void serve(DedupStore store, int messages) throws Exception {
    CountDownLatch handled = new CountDownLatch(messages);
    var receiver = IdempotentReceiver.<ConsumerRecord<byte[], byte[]>>builder("billing")
        .id(KafkaIds.header("order-id"))
        .fingerprint(KafkaFingerprints.value())
        .leased(store, delivery -> {
          effects.incrementAndGet();
          handled.countDown();
        });
    try (receiver;
        var service = KafkaReceiver.start(receiver, consumer(), List.of(topic))) {
      assertThat(handled.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(service.trouble()).isEmpty();
    }
  }

  private Map<String, Object> consumer() {
    return Map.of(
        "bootstrap.servers",
        kafka.bootstrapServers(),
        "group.id",
        group,
        "key.deserializer",
        ByteArrayDeserializer.class,
        "value.deserializer",
        ByteArrayDeserializer.class);
  }

  @Test
  void an_audit_against_redis_ends_with_0_only_if_nothing_would_run_again() throws Exception {
    kafka.createTopic(topic, 1);
    send("a", "b", "a");
    try (DedupStore store =
        RedisDedupStore.builder(RedisURI.create(redis.uri())).build()) {
      serve(store, 2);
    }

    assertThat(console.run("audit", "--id", "header:order-id", "--store", redis.uri()))
        .isZero();
    assertThat(console.out())
        .containsPattern("messages +3\n")
        .containsPattern("done +2\n")
        .containsPattern("WOULD RUN AGAIN +0\n");
    send("new");
    assertThat(console.run("audit", "--id", "value:/order/id", "--store", redis.uri()))
        .isEqualTo(1);
    assertThat(console.out()).contains("unknown: new at " + topic + "-0@3");
  }

  @Test
  void a_replay_on_postgres_is_dry_at_first_and_then_has_no_effect() throws Exception {
    kafka.createTopic(topic, 1);
    send("a", "b");
    Path password = Files.writeString(folder.resolve("password"), postgres.password() + "\n");
    Path json = folder.resolve("report.json");
    String[] replay = {
      "replay",
      "--id",
      "header:order-id",
      "--group",
      group,
      "--store",
      postgres.jdbcUrl(),
      "--store-user",
      postgres.username(),
      "--store-password-file",
      password.toString(),
      "--json",
      json.toString()
    };
    try (HikariDataSource pool = database();
        DedupStore store = JdbcDedupStore.builder(pool).createIfAbsent().build()) {
      serve(store, 2);

      assertThat(console.run(replay)).isZero();
      assertThat(console.out())
          .contains(topic + "-0: 2 -> 0, end 2", "dry run", "messages that come again: up to 2");
      JsonNode dry = new JsonMapper().readTree(json.toFile());
      assertThat(dry.at("/replay/moved").asBoolean()).isFalse();
      assertThat(dry.at("/again/ids/done").asInt()).isEqualTo(2);

      assertThat(console.run(with(replay, "--execute"))).isZero();
      assertThat(new JsonMapper().readTree(json.toFile()).at("/replay/moved").asBoolean())
          .isTrue();
      send("c");
      serve(store, 1);
      assertThat(effects).as("a and b came again and had no effect").hasValue(3);
    }
  }

  private static String[] with(String[] command, String... more) {
    List<String> all = new ArrayList<>(List.of(command));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  @Test
  void a_replay_that_would_run_something_again_moves_nothing_unless_accepted() throws Exception {
    kafka.createTopic(topic, 1);
    send("a");
    try (DedupStore store =
        RedisDedupStore.builder(RedisURI.create(redis.uri())).namespace("other").build()) {
      serve(store, 1);
    }
    String[] replay = {
      "replay", "--id", "header:order-id", "--group", group, "--store", redis.uri(), "--execute"
    };

    assertThat(console.run(replay)).isEqualTo(1);
    assertThat(console.out()).contains("Nothing was moved").containsPattern("WOULD RUN AGAIN +1");
    assertThat(console.run(with(replay, "--accept"))).isZero();
    assertThat(console.out()).contains("The group was moved");
  }

  @Test
  void a_running_group_is_refused() throws Exception {
    kafka.createTopic(topic, 1);
    send("a");
    CountDownLatch handled = new CountDownLatch(1);
    try (DedupStore store = RedisDedupStore.builder(RedisURI.create(redis.uri()))
            .namespace("third")
            .build();
        var receiver = IdempotentReceiver.<ConsumerRecord<byte[], byte[]>>builder("billing")
            .id(KafkaIds.header("order-id"))
            .noFingerprint()
            .leased(store, delivery -> handled.countDown());
        var service = KafkaReceiver.start(receiver, consumer(), List.of(topic))) {
      assertThat(handled.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(service.trouble()).isEmpty();

      assertThat(console.run(
              "replay",
              "--id",
              "header:order-id",
              "--group",
              group,
              "--store",
              redis.uri(),
              "--execute"))
          .isEqualTo(3);
    }
    assertThat(console.err()).contains("members").contains("Nothing was moved");
  }

  private static Console redriving(String letters) {
    return new Console(
        "--bootstrap",
        kafka.bootstrapServers(),
        "--topic",
        letters,
        "--consumer",
        "billing",
        "--id",
        "header:order-id",
        "--store",
        redis.uri(),
        "--store-namespace",
        "fourth");
  }

  @Test
  void a_redrive_is_dry_at_first_and_then_lets_the_message_run_once() throws Exception {
    String dead = topic + ".dead";
    kafka.createTopic(topic, 1);
    kafka.createTopic(dead, 1);
    send("poison");
    Path json = folder.resolve("report.json");
    AtomicBoolean mended = new AtomicBoolean();
    Console redriving = redriving(dead);
    Fate fate = new Fate();
    try (DedupStore store = RedisDedupStore.builder(RedisURI.create(redis.uri()))
            .namespace("fourth")
            .build();
        var publisher = KafkaDeadLetterPublisher.<byte[], byte[]>to(dead, producer());
        var receiver = IdempotentReceiver.<ConsumerRecord<byte[], byte[]>>builder("billing")
            .id(KafkaIds.header("order-id"))
            .fingerprint(KafkaFingerprints.value())
            .deadLetters(publisher)
            .listener(fate)
            .leased(store, delivery -> {
              if (!mended.get()) {
                throw new RejectedMessageException("no such price");
              }
              effects.incrementAndGet();
            });
        var service = KafkaReceiver.start(receiver, consumer(), List.of(topic))) {
      fate.awaitDeath();
      mended.set(true);

      assertThat(redriving.run("redrive", "--all")).as(redriving.err()).isZero();
      assertThat(redriving.out())
          .containsPattern("to be published +1\n")
          .contains("to be published: poison at " + dead + "-0@0 (NOT_RETRYABLE: ")
          .contains("This was a dry run");
      assertThat(effects).hasValue(0);

      assertThat(redriving.run(
              "redrive", "--message", "poison", "--execute", "--json", json.toString()))
          .as(redriving.err())
          .isZero();
      fate.awaitDone();
      assertThat(effects).hasValue(1);
      JsonNode report = new JsonMapper().readTree(json.toFile());
      assertThat(report.at("/redrive/published").asInt()).isEqualTo(1);
      assertThat(report.at("/redrive/samples/0/from").asText()).isEqualTo(topic + "-0@0");

      assertThat(redriving.run("redrive", "--all", "--execute")).isZero();
      assertThat(redriving.out()).contains("not dead: poison at " + dead).contains(": it is done");
      assertThat(redriving.run("redrive", "--message", "gone", "--execute")).isEqualTo(1);
      assertThat(redriving.out()).contains("no letter: gone");
      assertThat(redriving("no-such-topic").run("redrive", "--all")).isEqualTo(2);
      assertThat(service.trouble()).isEmpty();
    }
  }

  @Test
  void a_redrive_of_texts_publishes_the_bytes_that_died() throws Exception {
    String dead = topic + ".dead";
    kafka.createTopic(topic, 1);
    kafka.createTopic(dead, 1);
    byte[] noUtf8 = {'{', (byte) 0xE9, '}'};
    ProducerRecord<byte[], byte[]> letter = new ProducerRecord<>(dead, noUtf8, noUtf8);
    letter.headers().add("order-id", "latin".getBytes(StandardCharsets.UTF_8));
    letter.headers().add("hapax-coordinates", (topic + "-0@0").getBytes(StandardCharsets.UTF_8));
    try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(producer())) {
      producer.send(letter).get(30, TimeUnit.SECONDS);
    }
    Console console = redriving(dead);

    assertThat(console.run("redrive", "--all", "--execute", "--format", "text"))
        .as(console.err())
        .isZero();

    assertThat(console.out()).containsPattern("without a mark +1 ");
    ConsumerRecord<byte[], byte[]> again = first(topic);
    assertThat(again.value()).isEqualTo(noUtf8);
    assertThat(again.key()).isEqualTo(noUtf8);
  }

  private ConsumerRecord<byte[], byte[]> first(String topic) {
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(consumer())) {
      consumer.assign(List.of(new TopicPartition(topic, 0)));
      consumer.seekToBeginning(consumer.assignment());
      ConsumerRecords<byte[], byte[]> records = ConsumerRecords.empty();
      while (records.isEmpty()) {
        records = consumer.poll(Duration.ofMillis(100));
      }
      return records.iterator().next();
    }
  }

  /** As where a part of the class path is missing. */
  public static final class Broken implements ConsumerInterceptor<Object, Object> {

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
    kafka.createTopic(topic, 1);
    send("a");
    Path settings = Files.writeString(
        folder.resolve("client.properties"), "interceptor.classes=" + Broken.class.getName());

    assertThat(console.run(
            "audit",
            "--id",
            "header:order-id",
            "--store",
            redis.uri(),
            "--broker-config",
            settings.toString()))
        .isEqualTo(3);
    assertThat(console.err()).contains("NoClassDefFoundError").hasLineCount(1);
    assertThat(console.out()).isEmpty();
  }

  private static Map<String, Object> producer() {
    return Map.of(
        "bootstrap.servers",
        kafka.bootstrapServers(),
        "key.serializer",
        ByteArraySerializer.class,
        "value.serializer",
        ByteArraySerializer.class);
  }

  @Test
  void what_does_not_exist_is_a_misuse() {
    assertThat(console.run("audit", "--id", "key", "--store", redis.uri())).isEqualTo(2);
    assertThat(console.err()).contains("topic " + topic + " does not exist");
  }

  @Test
  void a_broker_that_does_not_answer_is_no_verdict() {
    Console silent =
        new Console("--bootstrap", "127.0.0.1:1", "--topic", topic, "--consumer", "billing");

    assertThat(silent.run("audit", "--id", "key", "--store", redis.uri(), "--patience", "PT1S"))
        .isEqualTo(3);
    assertThat(silent.out()).isEmpty();
  }
}
