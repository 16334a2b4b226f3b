package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.errors.RejectedMessageException;
import io.hapax.spring.Idempotent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.kafka.annotation.DltHandler;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.RetryableTopic;
import org.springframework.kafka.annotation.TopicPartition;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.messaging.handler.annotation.Header;

/** Spring retries and dead-letters; Hapax keeps an id within the first topic. */
@Timeout(60)
class RetryableTopicTest {

  private static final AtomicInteger IDS = new AtomicInteger();

  private static String topic = "";

  @AutoClose
  private static ConfigurableApplicationContext app;

  private static Billing billing;

  private final String id = "id-" + IDS.incrementAndGet();

  @KafkaApplication
  static class Billing {

    final List<String> effects = new CopyOnWriteArrayList<>();
    final List<String> dead = new CopyOnWriteArrayList<>();

    @RetryableTopic(attempts = "3", autoCreateTopics = "true")
    @KafkaListener(topics = "${orders}", groupId = "billing")
    @Idempotent(id = "key")
    void on(String order, @Header(KafkaHeaders.RECEIVED_TOPIC) String from) {
      effects.add(order + " from " + from.replace(topic, "main"));
      if (order.equals("poison") || (order.equals("fails once") && from.equals(topic))) {
        throw new IllegalStateException("cannot be billed");
      } else if (order.equals("rejected")) {
        throw new RejectedMessageException("no such item");
      }
    }

    @RetryableTopic(attempts = "2", autoCreateTopics = "true")
    @KafkaListener(
        topicPartitions = @TopicPartition(topic = "${orders}-assigned", partitions = "0"),
        groupId = "assigned")
    @Idempotent(id = "key")
    void assigned(String order, @Header(KafkaHeaders.RECEIVED_TOPIC) String from) {
      effects.add(order + " from " + from.replace(topic, "main"));
      if (from.equals(topic + "-assigned")) {
        throw new IllegalStateException("cannot be billed here");
      }
    }

    @DltHandler
    void dead(String order) {
      dead.add(order);
    }
  }

  @BeforeAll
  static void start() {
    topic = Broker.topic(2);
    Broker.createTopic(topic + "-assigned");
    app = Broker.start(Billing.class, topic);
    billing = app.getBean(Billing.class);
  }

  @BeforeEach
  void forget() {
    billing.effects.clear();
  }

  @Test
  void a_failed_message_takes_effect_on_the_retry_topic_and_its_duplicate_does_not() {
    Broker.send(topic, 0, id, "fails once");
    await().until(() -> billing.effects.size() == 2);
    Broker.send(topic, 0, id, "fails once");

    Broker.awaitCommitted(topic, 2);
    assertThat(billing.effects)
        .containsExactly("fails once from main", "fails once from main-retry");
  }

  @Test
  void a_message_that_fails_for_good_reaches_the_handler_of_dead_letters() {
    Broker.send(topic, 0, id, "poison");

    await().until(() -> billing.dead.contains("poison"));
    assertThat(billing.effects).hasSize(3);
  }

  @Test
  void a_rejected_message_passes_no_retry_topic() {
    assertNoRetry(id, "rejected");
    assertThat(billing.effects).containsExactly("rejected from main");
  }

  @Test
  void a_message_without_an_id_passes_no_retry_topic() {
    assertNoRetry("", "nameless");
    assertThat(billing.effects).isEmpty();
  }

  private static void assertNoRetry(String id, String order) {
    long retried = Broker.end(topic + "-retry", 0);
    Broker.send(topic, 0, id, order);

    await().until(() -> billing.dead.contains(order));
    assertThat(Broker.end(topic + "-retry", 0)).isEqualTo(retried);
  }

  @Test
  void a_busy_message_waits_in_its_topic_without_an_attempt() {
    Broker.claimElsewhere(app, topic, id, Duration.ofSeconds(4));
    Broker.send(topic, 0, id, "busy");
    Broker.send(topic, 1, "other" + id, "other");

    await().until(() -> billing.effects.contains("other from main"));
    Broker.awaitCommitted(topic, 2);
    assertThat(billing.effects).containsExactly("other from main", "busy from main");
    assertThat(billing.dead).doesNotContain("busy");
  }

  @Test
  void a_listener_of_chosen_partitions_has_retry_topics_too() {
    Broker.send(topic + "-assigned", 0, id, "order");
    await().until(() -> billing.effects.contains("order from main-assigned-retry"));
    Broker.send(topic + "-assigned", 0, id, "order");

    await().until(() -> Broker.committed("assigned", topic + "-assigned", 0) == 2);
    assertThat(billing.effects)
        .containsExactly("order from main-assigned", "order from main-assigned-retry");
  }

  /** The value of a record, which Spring serializes again for the next topic. */
  public record Order(int total) {}

  @KafkaApplication
  static class BillingObjects {

    final List<String> effects = new CopyOnWriteArrayList<>();

    @RetryableTopic(attempts = "3", autoCreateTopics = "true")
    @KafkaListener(topics = "${orders}", groupId = "billing")
    @Idempotent(id = "json:/envelope")
    void on(Order order) {
      effects.add("order of " + order.total());
      if (effects.size() == 1) {
        throw new IllegalStateException("cannot be billed yet");
      }
    }

    @DltHandler
    void dead(Order order) {
      effects.add("dead order of " + order.total());
    }
  }

  @Test
  void a_message_that_is_serialized_again_for_the_retry_topic_is_the_same() {
    String objects = Broker.topic(1);
    String first = "{ \"envelope\" : \"a\", \"total\" : 7 }";
    String json = "org.springframework.kafka.support.serializer.Json";
    Broker.send(objects, 0, "", first, "hapax-retried-billing=of the producer");
    try (ConfigurableApplicationContext billingObjects = Broker.start(
        BillingObjects.class,
        objects,
        "spring.kafka.consumer.value-deserializer=" + json + "Deserializer",
        "spring.kafka.consumer.properties.spring.json.value.default.type=" + Order.class.getName(),
        "spring.kafka.producer.value-serializer=" + json + "Serializer")) {
      List<String> effects = billingObjects.getBean(BillingObjects.class).effects;
      await().until(() -> effects.size() == 2);
      Broker.send(objects, 0, "", first);
      Broker.send(objects, 0, "", first.replace("7", "8"));

      await().until(() -> effects.size() == 3);
      assertThat(effects).containsExactly("order of 7", "order of 7", "dead order of 8");
    }
  }
}
