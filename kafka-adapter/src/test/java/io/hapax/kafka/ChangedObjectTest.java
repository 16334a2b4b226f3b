package io.hapax.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.IdempotentReceiver;
import io.hapax.LeaseSettings;
import io.hapax.ReceiverBuilder;
import io.hapax.RetrySettings;
import io.hapax.TransactionalHandler;
import io.hapax.errors.NotAppliedException;
import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Handlers change the object that they get. A second call must not see what the first one did. */
@Timeout(120)
class ChangedObjectTest extends WithReceivers {

  @TempDir
  private Path directory;

  private final String topic = Broker.topic(1);
  private final Set<String> failed = ConcurrentHashMap.newKeySet();

  private Map<String, Object> consumer(Class<?> values) {
    return with(Map.of("value.deserializer", values));
  }

  /** The id and the fingerprint can be changed, too. */
  private static ReceiverBuilder<ConsumerRecord<String, Order>> orders() {
    return IdempotentReceiver.<ConsumerRecord<String, Order>>builder("orders")
        .id(record -> Optional.of(Bytes.utf8(record.value().id + record.value().status)))
        .fingerprint(record -> Fingerprint.of(record.value().toString().getBytes(UTF_8)))
        .lease(LeaseSettings.of(Duration.ofSeconds(3)))
        .retry(new RetrySettings(5, Duration.ofMillis(50), Duration.ofMillis(100)));
  }

  private boolean failsNow(String id) {
    return id.startsWith("fails") && failed.add(id);
  }

  /** Accepts a new order, and ignores one that is accepted already. */
  private static boolean accept(Order order) {
    boolean isNew = order.status.equals("NEW");
    order.status = "ACCEPT";
    return isNew;
  }

  private HikariDataSource database() throws SQLException {
    HikariDataSource database = open(new HikariDataSource());
    database.setJdbcUrl(
        "jdbc:h2:file:" + directory.resolve("shop") + ";WRITE_DELAY=0;REUSE_SPACE=FALSE");
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE effects (body varchar(20))");
    }
    return database;
  }

  private static void write(Connection connection, String body) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO effects VALUES (?)")) {
      insert.setString(1, body);
      insert.executeUpdate();
    }
  }

  private static List<String> written(HikariDataSource database) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT body FROM effects")) {
      List<String> bodies = new ArrayList<>();
      while (rows.next()) {
        bodies.add(rows.getString(1));
      }
      return bodies;
    }
  }

  private IdempotentReceiver<ConsumerRecord<String, Order>> transactional(
      HikariDataSource database) {
    return open(orders()
        .transactional(
            JdbcDedupStore.builder(database).createIfAbsent().build(),
            TransactionalHandler.forEach((connection, delivery) -> {
              Order order = delivery.message().value();
              if (accept(order)) {
                write(connection, order.id);
              }
              if (failsNow(order.id)) {
                throw new IllegalStateException("fails once");
              }
            })));
  }

  @ParameterizedTest(name = "the application makes the consumer: {0}")
  @ValueSource(booleans = {false, true})
  void a_rolled_back_transaction_runs_again_with_the_orders_as_they_were_sent(boolean ofOthers)
      throws Exception {
    HikariDataSource database = database();
    var builder = KafkaReceiver.builder(transactional(database), consumer(Order.Reader.class))
        .topics(List.of(topic));
    if (ofOthers) {
      builder.consumer(properties ->
          new KafkaConsumer<>(properties, new StringDeserializer(), new Order.Reader()));
    }
    open(builder.start());
    leaveOneByOneMode(database);

    Broker.sendAtOnce(topic, "b", "c", "fails", "d");

    awaitCommitted(topic, 5);
    assertThat(written(database)).containsExactlyInAnyOrder("a", "b", "c", "fails", "d");
  }

  private void leaveOneByOneMode(HikariDataSource database) throws Exception {
    Broker.send(topic, 0, "a");
    await().until(() -> written(database).size() == 1);
    awaitCommitted(topic, 1);
  }

  @Test
  void the_application_s_own_loop_reads_such_orders_again() throws Exception {
    HikariDataSource database = database();
    Map<String, Object> properties = consumer(Order.Reader.class);
    properties.put("enable.auto.commit", false);
    properties.put("auto.offset.reset", "earliest");
    KafkaBatchProcessor<String, Order> processor =
        KafkaBatchProcessor.of(transactional(database), properties, Duration.ofMinutes(1));
    AtomicBoolean sent = new AtomicBoolean();
    Broker.send(topic, 0, "a");
    try (KafkaConsumer<String, Order> consumer = new KafkaConsumer<>(properties)) {
      consumer.subscribe(List.of(topic));
      await().until(() -> {
        processor.resumeDue(consumer);
        processor.process(consumer.poll(Duration.ofMillis(100))).applyTo(consumer);
        if (!written(database).isEmpty() && !sent.getAndSet(true)) {
          Broker.sendAtOnce(topic, "b", "c", "fails", "d");
        }
        return sent.get() && Broker.committed(group, topic, 0) == 5;
      });
    }

    assertThat(written(database)).containsExactlyInAnyOrder("a", "b", "c", "fails", "d");
  }

  @Test
  void a_retry_and_a_dead_letter_see_the_order_as_it_was_sent() throws Exception {
    List<String> seen = new CopyOnWriteArrayList<>();
    List<String> buried = new CopyOnWriteArrayList<>();
    IdempotentReceiver<ConsumerRecord<String, Order>> receiver = open(orders()
        .retry(new RetrySettings(2, Duration.ofMillis(50), Duration.ofMillis(100)))
        .deadLetters(letter -> buried.add(
            letter.message().value().toString() + letter.message().headers().lastHeader("seen")))
        .leased(store, delivery -> {
          seen.add(delivery.message().value()
              + (delivery.message().headers().lastHeader("seen") == null ? "" : ", seen"));
          delivery.message().headers().add("seen", new byte[0]);
          delivery.message().value().status = "ACCEPT";
          throw new IllegalStateException("fails always");
        }));
    Broker.send(topic, 0, "a", "b");

    open(KafkaReceiver.start(receiver, consumer(Order.Reader.class), List.of(topic)));

    awaitCommitted(topic, 2);
    assertThat(seen).containsExactly("a: NEW", "a: NEW", "b: NEW", "b: NEW");
    assertThat(buried).containsExactly("a: NEWnull", "b: NEWnull");
  }

  /** Puts other records in the place of those of a poll. */
  abstract static class Interceptor<V> implements ConsumerInterceptor<String, V> {

    abstract Stream<ConsumerRecord<String, V>> inPlaceOf(ConsumerRecord<String, V> record);

    @Override
    @SuppressWarnings("deprecation") // the one constructor that every client has
    public ConsumerRecords<String, V> onConsume(ConsumerRecords<String, V> polled) {
      Map<TopicPartition, List<ConsumerRecord<String, V>>> replaced = new HashMap<>();
      for (TopicPartition partition : polled.partitions()) {
        replaced.put(
            partition,
            polled.records(partition).stream().flatMap(this::inPlaceOf).toList());
      }
      return new ConsumerRecords<>(replaced);
    }

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

    @Override
    public void close() {}

    @Override
    public void configure(Map<String, ?> configs) {}
  }

  /** Makes new records, as an interceptor that decrypts does. */
  public static class Replacing extends Interceptor<Order> {

    Headers headersOf(ConsumerRecord<String, Order> record) {
      return record.headers();
    }

    @Override
    Stream<ConsumerRecord<String, Order>> inPlaceOf(ConsumerRecord<String, Order> record) {
      return Stream.of(new ConsumerRecord<>(
          record.topic(),
          record.partition(),
          record.offset(),
          record.timestamp(),
          record.timestampType(),
          record.serializedKeySize(),
          record.serializedValueSize(),
          record.key(),
          new Order(record.value().id.replace("sealed ", "")),
          headersOf(record),
          record.leaderEpoch()));
    }
  }

  /** Makes new records without headers. */
  public static final class ReplacingAll extends Replacing {

    @Override
    Headers headersOf(ConsumerRecord<String, Order> record) {
      return new RecordHeaders();
    }
  }

  /** Makes two records of one, as Kafka permits. */
  public static final class Splitting extends Interceptor<String> {

    @Override
    Stream<ConsumerRecord<String, String>> inPlaceOf(ConsumerRecord<String, String> record) {
      return Stream.of(part(record, "-1"), part(record, "-2"));
    }

    private static ConsumerRecord<String, String> part(
        ConsumerRecord<String, String> record, String suffix) {
      String text = record.value() + suffix;
      return new ConsumerRecord<>(record.topic(), record.partition(), record.offset(), text, text);
    }
  }

  @Test
  void no_part_of_a_record_is_lost_that_an_interceptor_has_split() throws Exception {
    Broker.send(topic, 0, "a");

    KafkaReceiver<String, String> reading = start(
        topic, Map.of("interceptor.classes", List.of(Splitting.class.getName())), this::record);

    await().until(() -> reading.state() == KafkaReceiver.State.DOWN);
    assertThat(reading.failure())
        .get()
        .asString()
        .contains(topic + "-0: a poll has a record of offset 0 behind one of offset 0")
        .contains("must neither make further records nor turn their order: let the handler");
    assertThat(Broker.committed(group, topic, 0)).isLessThanOrEqualTo(0);
  }

  private Map<String, Object> intercepted(Class<?> interceptor) {
    Map<String, Object> properties = consumer(Order.Reader.class);
    properties.put("interceptor.classes", List.of(interceptor.getName()));
    return properties;
  }

  @ParameterizedTest
  @ValueSource(classes = {Replacing.class, ReplacingAll.class})
  void a_retry_sees_the_order_that_an_interceptor_made(Class<?> interceptor) throws Exception {
    List<String> seen = new CopyOnWriteArrayList<>();
    IdempotentReceiver<ConsumerRecord<String, Order>> receiver =
        open(orders().leased(store, delivery -> {
          Order order = delivery.message().value();
          seen.add(order.toString());
          var unused = accept(order);
          if (failsNow(order.id)) {
            throw new NotAppliedException("fails once");
          }
        }));
    Broker.send(topic, 0, "sealed fails", "sealed b");

    open(KafkaReceiver.start(receiver, intercepted(interceptor), List.of(topic)));

    awaitCommitted(topic, 2);
    assertThat(seen).containsExactly("fails: NEW", "fails: NEW", "b: NEW");
  }

  @ParameterizedTest
  @ValueSource(classes = {Replacing.class, ReplacingAll.class})
  void a_kafka_transaction_copies_the_orders_that_an_interceptor_made(Class<?> interceptor)
      throws Exception {
    Broker.sendAtOnce(topic, "sealed a", "sealed b", "sealed fails", "sealed c");

    assertCopied(intercepted(interceptor), 3);
  }

  @Test
  void records_of_an_aborted_kafka_transaction_are_copied_as_they_were_sent() throws Exception {
    Broker.sendAtOnce(topic, "a", "b", "fails", "c");

    assertCopied(consumer(Order.Reader.class), 1);
  }

  /** Reads orders, and cannot be closed. */
  public static final class Unclosable extends Order.Reader {

    @Override
    public void close() {
      throw new LinkageError("cannot be closed");
    }
  }

  @Test
  void a_deserializer_that_cannot_be_closed_does_not_kill_a_receiver() throws Exception {
    IdempotentReceiver<ConsumerRecord<String, Order>> receiver =
        open(orders().leased(store, delivery -> {
          if (failsNow(delivery.message().value().id)) {
            throw new NotAppliedException("fails once");
          }
        }));
    Broker.send(topic, 0, "fails");
    KafkaReceiver<String, Order> reader =
        open(KafkaReceiver.start(receiver, consumer(Unclosable.class), List.of(topic)));
    awaitCommitted(topic, 1);

    reader.close();

    assertThat(reader.problems()).isEmpty();
    assertThat(reader.state()).isEqualTo(KafkaReceiver.State.CLOSED);
  }

  @Test
  void a_deserializer_that_cannot_be_closed_does_not_keep_the_producer_open() throws Exception {
    String output = Broker.topic(1);
    Map<String, Object> producing = Broker.producer(Map.of("transactional.id", topic));
    AtomicInteger open = new AtomicInteger();
    Broker.sendAtOnce(topic, "a", "fails");
    KafkaTransactionalReceiver receiver =
        open(KafkaTransactionalReceiver.builder(orders(), store, consumer(Unclosable.class))
            .topics(List.of(topic))
            .<String, String>start(
                producing,
                (outputs, delivery) -> {
                  Order order = delivery.message().value();
                  var unused = outputs.send(new ProducerRecord<>(output, 0, order.id, order.id));
                  if (failsNow(order.id)) {
                    throw new IllegalStateException("fails once");
                  }
                },
                properties -> counting(open, new KafkaProducer<>(properties))));
    awaitCommitted(topic, 2);

    receiver.close();

    assertThat(open).hasValue(0);
    assertThat(receiver.problems()).isEmpty();
    assertThat(receiver.state()).isEqualTo(KafkaReceiver.State.CLOSED);
  }

  @SuppressWarnings("unchecked") // a proxy has no parameters
  private static Producer<String, String> counting(
      AtomicInteger open, Producer<String, String> producer) {
    open.incrementAndGet();
    return Hook.into(Producer.class, producer, (method, arguments, call) -> {
      if (method.equals("close")) {
        open.decrementAndGet();
      }
      return call.proceed();
    });
  }

  private void assertCopied(Map<String, Object> consuming, int failures) {
    String output = Broker.topic(1);
    Map<String, Object> producing = Broker.producer(Map.of("transactional.id", topic));
    AtomicInteger failed = new AtomicInteger();
    open(KafkaTransactionalReceiver.builder(orders(), store, consuming)
        .topics(List.of(topic))
        .<String, String>start(producing, (outputs, delivery) -> {
          Order order = delivery.message().value();
          if (accept(order)) {
            var unused = outputs.send(new ProducerRecord<>(output, 0, order.id, order.id));
          }
          if (order.id.equals("fails") && failed.incrementAndGet() <= failures) {
            throw new IllegalStateException("fails at first");
          }
        }));

    await().until(() -> Broker.readCommitted(output).size() == 4);
    assertThat(Broker.readCommitted(output))
        .extracting(ConsumerRecord::value)
        .containsExactly("a", "b", "fails", "c");
  }

  @Test
  void a_retry_sees_the_bytes_as_they_were_sent() throws Exception {
    List<String> seen = new CopyOnWriteArrayList<>();
    IdempotentReceiver<ConsumerRecord<String, byte[]>> receiver =
        open(IdempotentReceiver.<ConsumerRecord<String, byte[]>>builder("orders")
            .id(KafkaIds.key())
            .fingerprint(KafkaFingerprints.value())
            .retry(new RetrySettings(3, Duration.ofMillis(10), Duration.ofMillis(10)))
            .leased(store, delivery -> {
              byte[] value = delivery.message().value();
              seen.add(new String(value, UTF_8));
              value[0] = 'X';
              if (seen.size() < 3) {
                throw new NotAppliedException("not sent");
              }
            }));
    Broker.send(topic, 0, "order");

    open(KafkaReceiver.start(receiver, consumer(ByteArrayDeserializer.class), List.of(topic)));

    awaitCommitted(topic, 1);
    assertThat(seen).containsExactly("order", "order", "order");
  }
}
