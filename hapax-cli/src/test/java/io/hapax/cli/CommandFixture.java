package io.hapax.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.hapax.IdExtractor;
import io.hapax.IdempotentReceiver;
import io.hapax.kafka.KafkaFingerprints;
import io.hapax.kafka.KafkaIds;
import io.hapax.kafka.KafkaReceiver;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.redis.RedisDedupStore;
import io.hapax.servers.LocalKafka;
import io.hapax.servers.LocalRedis;
import io.hapax.store.DedupStore;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The common part of the tests on Kafka: the servers, and a topic for each test. */
@Timeout(180)
abstract class CommandFixture {

  private static final AtomicInteger NUMBERS = new AtomicInteger();

  /** One broker for all tests of this JVM; it ends with the JVM. */
  static final LocalKafka KAFKA = LocalKafka.start();

  /** A server for each class, because the consumer has the same name in all of them. */
  static LocalRedis redis;

  final String topic = "orders-" + NUMBERS.incrementAndGet();
  final String group = "billing-" + topic;
  final String dead = topic + ".dead";
  final AtomicInteger effects = new AtomicInteger();

  /** The marks of this test, in a namespace of their own. */
  DedupStore store;

  @TempDir
  Path folder;

  @BeforeAll
  static void start() {
    redis = LocalRedis.start();
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  @BeforeEach
  void createTopic() {
    KAFKA.createTopic(topic, 1);
  }

  @BeforeEach
  void openStore() {
    store =
        RedisDedupStore.builder(RedisURI.create(redis.uri())).namespace(topic).build();
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  /** Returns the options of the marks of this test. */
  final String[] marks(String... more) {
    String[] options = {"--consumer billing --store", redis.uri(), "--store-namespace", topic};
    return Console.with(options, more);
  }

  /** Returns the file of the report, for an option of a command. */
  final String json() {
    return folder.resolve("report.json").toString();
  }

  /** Returns the report that a command has written to {@link #json}. */
  final JsonNode report() throws IOException {
    return new JsonMapper().readTree(Path.of(json()).toFile());
  }

  /** Claims a message as a consumer that has vanished. */
  final Claim claimed(String id, long offset, Duration lease) {
    ClaimRequest request = new ClaimRequest(
        MessageKey.of("billing", id),
        new Nonce(7, offset),
        Fingerprint.NONE,
        new Origin("shop-7-4711/billing", topic + "-0@" + offset),
        new ClaimTerms(false, true, ClaimTerms.ANY_TIME));
    return ((Acquired) store.claim(List.of(request), lease).get(0)).claim();
  }

  final MarkState state(String id) {
    return store
        .find(List.of(MessageKey.of("billing", id)))
        .get(0)
        .orElseThrow()
        .state();
  }

  static Console console(String topic) {
    return new Console(
        "--broker kafka --bootstrap",
        KAFKA.bootstrapServers(),
        "--topic",
        topic,
        "--consumer billing");
  }

  final void send(String... ids) throws Exception {
    Map<String, Object> settings = Map.of(
        "bootstrap.servers", KAFKA.bootstrapServers(),
        "key.serializer", StringSerializer.class,
        "value.serializer", StringSerializer.class);
    try (KafkaProducer<String, String> producer = new KafkaProducer<>(settings)) {
      for (String id : ids) {
        ProducerRecord<String, String> record =
            new ProducerRecord<>(topic, "customer", "{\"order\":{\"id\":\"" + id + "\"}}");
        record.headers().add("order-id", id.getBytes(StandardCharsets.UTF_8));
        producer.send(record).get(30, TimeUnit.SECONDS);
      }
    }
  }

  /** Starts the service. */
  final KafkaReceiver<byte[], byte[]> service(
      IdempotentReceiver<ConsumerRecord<byte[], byte[]>> receiver) {
    return KafkaReceiver.start(receiver, consumer(), List.of(topic));
  }

  /** Runs the service until it has handled this number of new messages. */
  final void serve(DedupStore store, int messages) throws Exception {
    serve(store, messages, KafkaIds.header("order-id"));
  }

  /** The same with other ids. */
  final void serve(DedupStore store, int messages, IdExtractor<ConsumerRecord<byte[], byte[]>> ids)
      throws Exception {
    CountDownLatch handled = new CountDownLatch(messages);
    var receiver = IdempotentReceiver.<ConsumerRecord<byte[], byte[]>>builder("billing")
        .id(ids)
        .fingerprint(KafkaFingerprints.value())
        .leased(store, delivery -> {
          effects.incrementAndGet();
          handled.countDown();
        });
    try (receiver;
        var service = service(receiver)) {
      assertThat(handled.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(service.problems()).isEmpty();
    }
  }

  final Map<String, Object> consumer() {
    return Map.of(
        "bootstrap.servers",
        KAFKA.bootstrapServers(),
        "group.id",
        group,
        "key.deserializer",
        ByteArrayDeserializer.class,
        "value.deserializer",
        ByteArrayDeserializer.class);
  }

  static Map<String, Object> producer() {
    return Map.of(
        "bootstrap.servers", KAFKA.bootstrapServers(),
        "key.serializer", ByteArraySerializer.class,
        "value.serializer", ByteArraySerializer.class);
  }
}
