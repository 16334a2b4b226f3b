package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.spring.Idempotent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.RetryableTopic;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;

/** Listeners change the order that they get. A second call must not see what the first one did. */
@Timeout(120)
class ChangedPayloadTest {

  private static String topic = "";

  @AutoClose
  private static ConfigurableApplicationContext app;

  private static Shop shop;

  /** An order, whose status listeners change. */
  static final class Order {
    final String id;
    String status;

    Order(String id, String status) {
      this.id = id;
      this.status = status;
    }
  }

  /** Reads {@code id status}, and removes the header that it needs, as Spring's for JSON does. */
  public static final class Reader implements Deserializer<Order> {

    @Override
    public Order deserialize(String topic, byte[] data) {
      throw new IllegalStateException("the type is not known without headers");
    }

    @Override
    public Order deserialize(String topic, Headers headers, byte[] data) {
      if (headers.lastHeader("type") == null && !topic.contains("-retried")) {
        throw new IllegalStateException("a record has no type");
      }
      headers.remove("type");
      String[] parts = new String(data, StandardCharsets.UTF_8).split(" ", 2);
      return new Order(parts[0], parts.length < 2 ? "NEW" : parts[1]);
    }
  }

  /** Writes the same. */
  public static final class Writer implements Serializer<Order> {

    @Override
    public byte[] serialize(String topic, Order order) {
      return (order.id + " " + order.status).getBytes(StandardCharsets.UTF_8);
    }
  }

  /** Makes new orders, as an interceptor that decrypts does. */
  public static final class Opening extends PollInterceptor<Order> {

    @Override
    Map<TopicPartition, List<ConsumerRecord<String, Order>>> altered(
        Map<TopicPartition, List<ConsumerRecord<String, Order>>> records) {
      records.replaceAll((partition, all) -> all.stream().map(Opening::opened).toList());
      return records;
    }

    private static ConsumerRecord<String, Order> opened(ConsumerRecord<String, Order> record) {
      return PolledRecord.copy(
          record,
          record.key(),
          new Order(record.value().id + "!", record.value().status),
          record.headers());
    }
  }

  @DatabaseApplication
  static class Shop {

    private final JdbcTemplate database;
    private final Set<String> failed = ConcurrentHashMap.newKeySet();
    private final List<String> seen = new CopyOnWriteArrayList<>();

    Shop(JdbcTemplate database) {
      this.database = database;
      database.execute("create table if not exists accepted (topic varchar(100), id varchar(100))");
    }

    /** Its deserializers are objects, so that Hapax knows no bytes. */
    @Bean
    static ConcurrentKafkaListenerContainerFactory<Object, Object> objects() {
      Deserializer<?> keys = new StringDeserializer();
      Deserializer<?> values = new Reader();
      ConcurrentKafkaListenerContainerFactory<Object, Object> factory =
          new ConcurrentKafkaListenerContainerFactory<>();
      @SuppressWarnings("unchecked")
      DefaultKafkaConsumerFactory<Object, Object> consumers = new DefaultKafkaConsumerFactory<>(
          Map.of("bootstrap.servers", Broker.servers(), "auto.offset.reset", "earliest"),
          (Deserializer<Object>) keys,
          (Deserializer<Object>) values);
      factory.setConsumerFactory(consumers);
      return factory;
    }

    @KafkaListener(topics = "${orders}-each", groupId = "shop")
    @Idempotent(id = "key", mode = Idempotent.Mode.TRANSACTIONAL)
    void each(ConsumerRecord<String, Order> order) {
      accept(order);
    }

    @KafkaListener(topics = "${orders}-batch", groupId = "shop", batch = "true")
    @Idempotent(id = "key", mode = Idempotent.Mode.TRANSACTIONAL)
    void batch(List<ConsumerRecord<String, Order>> orders) {
      orders.forEach(this::accept);
    }

    @KafkaListener(topics = "${orders}-objects", groupId = "shop", containerFactory = "objects")
    @Idempotent(id = "key", mode = Idempotent.Mode.TRANSACTIONAL, fingerprint = "none")
    void objects(ConsumerRecord<String, Order> order) {
      accept(order);
    }

    @KafkaListener(
        topics = "${orders}-opened",
        groupId = "shop",
        properties = "interceptor.classes=io.hapax.spring.kafka.ChangedPayloadTest$Opening")
    @Idempotent(id = "key", mode = Idempotent.Mode.TRANSACTIONAL)
    void opened(ConsumerRecord<String, Order> order) {
      accept(order);
    }

    @RetryableTopic(attempts = "2", autoCreateTopics = "true")
    @KafkaListener(topics = "${orders}-retried", groupId = "shop")
    @Idempotent(id = "key", mode = Idempotent.Mode.LEASED)
    void retried(ConsumerRecord<String, Order> order) {
      seen.add(order.value().id + " " + order.value().status);
      order.value().status = "ACCEPT";
      if (failed.add(order.value().id)) {
        throw new IllegalStateException("fails once");
      }
    }

    /** Accepts a new order, and ignores one that is accepted already. */
    private void accept(ConsumerRecord<String, Order> order) {
      if (order.value().status.equals("NEW") && order.headers().lastHeader("accepted") == null) {
        order.value().status = "ACCEPT";
        order.headers().add("accepted", new byte[0]);
        database.update("insert into accepted values (?, ?)", order.topic(), order.value().id);
      }
      if (order.value().id.startsWith("fails") && failed.add(order.topic() + order.value().id)) {
        throw new IllegalStateException("fails once");
      }
    }
  }

  @BeforeAll
  static void start() {
    topic = Broker.topic(1);
    for (String kind : List.of("each", "batch", "objects", "opened", "retried")) {
      Broker.createTopic(topic + "-" + kind);
    }
    app = Broker.startWithDatabase(
        Shop.class,
        topic,
        "spring.kafka.consumer.value-deserializer=" + Reader.class.getName(),
        "spring.kafka.producer.value-serializer=" + Writer.class.getName());
    shop = app.getBean(Shop.class);
  }

  /** The interceptor of "opened" adds an exclamation mark. */
  @ParameterizedTest
  @CsvSource({"each, ''", "batch, ''", "objects, ''", "opened, !"})
  void a_rolled_back_transaction_runs_again_with_the_orders_as_they_were_received(
      String kind, String mark) {
    String ofKind = topic + "-" + kind;
    Broker.send(ofKind, 0, "a", "a", "type=order");
    await().until(() -> Broker.committed("shop", ofKind, 0) == 1);

    Broker.sendAtOnce(ofKind, "b", "c", "fails", "d"); // behind one-by-one mode

    await().until(() -> Broker.committed("shop", ofKind, 0) == 5);
    assertThat(app.getBean(JdbcTemplate.class)
            .queryForList("select id from accepted where topic = ?", String.class, ofKind))
        .containsExactlyInAnyOrder("a" + mark, "b" + mark, "c" + mark, "fails" + mark, "d" + mark);
  }

  @Test
  void a_retry_topic_gets_the_order_as_it_was_sent() {
    Broker.send(topic + "-retried", 0, "a", "a NEW");

    await().until(() -> shop.seen.size() == 2);
    assertThat(shop.seen).containsExactly("a NEW", "a NEW");
  }
}
