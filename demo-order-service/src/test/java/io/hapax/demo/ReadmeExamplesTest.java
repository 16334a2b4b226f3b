package io.hapax.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.servers.LocalKafka;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the Kafka examples of README and docs/kafka.md as shown: each order is sent twice. */
@Timeout(120)
class ReadmeExamplesTest {

  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final String LAST = "the last";

  @TempDir
  private Path folder;

  private LocalKafka kafka;
  private HikariDataSource dataSource;

  @BeforeEach
  void start() throws Exception {
    kafka = LocalKafka.start();
    kafka.createTopic("orders", 1);
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(
        "jdbc:h2:file:" + folder.resolve("billing") + ";WRITE_DELAY=0;REUSE_SPACE=FALSE");
    dataSource = new HikariDataSource(config);
    try (var connection = dataSource.getConnection();
        var statement = connection.createStatement()) {
      statement.execute("CREATE TABLE booking (order_text VARCHAR(100))");
    }
    for (String order : List.of("a", "b", "a", "b", LAST)) {
      send(order);
    }
  }

  @AfterEach
  void close() {
    dataSource.close();
    kafka.close();
  }

  @Test
  void the_example_that_starts_from_nothing_books_each_order_once() throws Exception {
    kafka.createTopic("orders.dead", 1);
    CountDownLatch stop = new CountDownLatch(1);

    runUntilLast(
        () -> ReadmeFromNothing.run(dataSource, consumerProperties(), producerProperties(), stop),
        this::bookings,
        stop::countDown);

    assertThat(bookings()).containsExactly("a", "b", LAST);
  }

  @Test
  void the_example_around_a_loop_of_ones_own_charges_each_order_once() throws Exception {
    KafkaPageOwnLoop loop = new KafkaPageOwnLoop();
    try (JdbcDedupStore store =
            JdbcDedupStore.builder(dataSource).createIfAbsent().build();
        KafkaConsumer<String, String> consumer = new KafkaConsumer<>(consumerProperties())) {
      runUntilLast(
          () -> loop.run(consumer, consumerProperties(), store), loop::charged, loop::stop);
    }

    assertThat(loop.charged()).hasSize(3).doesNotHaveDuplicates();
  }

  /** Runs an example on a thread, and stops it after the effect of the last order. */
  private static void runUntilLast(
      ThrowingCallable example, Callable<List<String>> effects, Runnable stop) throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Future<?> running = thread.submit(() -> {
        assertThatCode(example).doesNotThrowAnyException();
      });
      await()
          .atMost(BOUND)
          .until(() -> effects.call().stream().anyMatch(effect -> effect.endsWith(LAST)));
      stop.run();
      running.get(BOUND.toSeconds(), TimeUnit.SECONDS);
    } finally {
      thread.shutdownNow();
    }
  }

  private Map<String, Object> consumerProperties() {
    return Map.of(
        "bootstrap.servers",
        kafka.bootstrapServers(),
        "group.id",
        "billing",
        "enable.auto.commit",
        "false",
        "auto.offset.reset",
        "earliest",
        "key.deserializer",
        StringDeserializer.class,
        "value.deserializer",
        StringDeserializer.class);
  }

  private Map<String, Object> producerProperties() {
    return Map.of(
        "bootstrap.servers", kafka.bootstrapServers(),
        "key.serializer", StringSerializer.class,
        "value.serializer", StringSerializer.class);
  }

  private void send(String order) throws Exception {
    try (var producer = new KafkaProducer<>(
        Map.<String, Object>of("bootstrap.servers", kafka.bootstrapServers()),
        new StringSerializer(),
        new StringSerializer())) {
      var record = new ProducerRecord<String, String>("orders", order);
      record.headers().add("order-id", order.getBytes(StandardCharsets.UTF_8));
      producer.send(record).get(BOUND.toSeconds(), TimeUnit.SECONDS);
    }
  }

  private List<String> bookings() throws SQLException {
    List<String> bookings = new ArrayList<>();
    try (var connection = dataSource.getConnection();
        var statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT order_text FROM booking ORDER BY order_text")) {
      while (rows.next()) {
        bookings.add(rows.getString(1));
      }
    }
    return bookings;
  }
}
