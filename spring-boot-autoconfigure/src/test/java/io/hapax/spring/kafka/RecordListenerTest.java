package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.spring.Idempotent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.messaging.handler.annotation.Header;

/** A listener of single records, as most applications have it. */
@Timeout(60)
class RecordListenerTest {

  private static final AtomicInteger KEYS = new AtomicInteger();

  private static String topic = "";

  @AutoClose
  private static ConfigurableApplicationContext app;

  private static Billing billing;

  private final String id = "id-" + KEYS.incrementAndGet();

  @KafkaApplication
  static class Billing {

    final List<String> effects = new CopyOnWriteArrayList<>();
    final List<Exception> handledBySpring = new CopyOnWriteArrayList<>();

    @Bean
    DefaultErrorHandler errorHandler() {
      return new DefaultErrorHandler((record, exception) -> handledBySpring.add(exception));
    }

    @KafkaListener(topics = "${orders}", groupId = "billing")
    @Idempotent(id = "header:order-id")
    void on(String order, @Header(KafkaHeaders.GROUP_ID) String group) {
      effects.add(order + "@" + group);
      if (order.startsWith("poison")) {
        throw new IllegalStateException("cannot be billed");
      }
    }
  }

  @BeforeAll
  static void start() {
    topic = Broker.topic(2);
    Broker.createTopic(topic + "-dlt");
    app = Broker.start(
        Billing.class,
        topic,
        "hapax.dead-letters={topic}-dlt",
        "spring.kafka.producer.bootstrap-servers=127.0.0.1:1", // of another cluster
        "hapax.consumers.billing.attempts=3");
    billing = app.getBean(Billing.class);
  }

  @BeforeEach
  void forget() {
    billing.effects.clear();
  }

  @Test
  void a_failed_message_is_retried_and_then_dead_lettered_as_received_on_its_own_cluster() {
    send(0, "poison");

    ConsumerRecord<String, String> letter = Broker.read(topic + "-dlt", this::hasHeaderOfThis);
    Broker.awaitCommitted(topic, 2);
    assertThat(billing.effects).hasSize(3).containsOnly("poison@billing");
    assertThat(letter.value()).isEqualTo("poison");
    assertThat(billing.handledBySpring).isEmpty();
  }

  @Test
  void a_record_without_its_header_is_dead_lettered() {
    Broker.send(topic, 0, id, "no header");

    Broker.awaitCommitted(topic, 2);
    assertThat(billing.effects).isEmpty();
    assertThat(Broker.read(topic + "-dlt", letter -> id.equals(letter.key())).value())
        .isEqualTo("no header");
  }

  @Test
  void a_busy_message_pauses_only_its_partition_and_uses_no_attempt() {
    Broker.claimElsewhere(app, topic, id, Duration.ofSeconds(4));
    send(0, "busy");
    Broker.send(topic, 1, "key", "other", "order-id=other-" + id);

    await().until(() -> billing.effects.contains("other@billing"));
    assertThat(billing.effects).doesNotContain("busy@billing");
    Broker.awaitCommitted(topic, 2);
    assertThat(billing.effects).containsExactly("other@billing", "busy@billing");
    assertThat(billing.handledBySpring).isEmpty();
  }

  private void send(int partition, String value) {
    Broker.send(topic, partition, "key", value, "order-id=" + id);
  }

  private boolean hasHeaderOfThis(ConsumerRecord<String, String> letter) {
    return letter.headers().lastHeader("order-id") != null
        && new String(letter.headers().lastHeader("order-id").value(), StandardCharsets.UTF_8)
            .equals(id);
  }

  @Test
  void dead_letters_are_published_after_a_restart_of_the_context() {
    String first = id + "a";
    Broker.send(topic, 0, first, "poison", "order-id=" + first);
    Broker.read(topic + "-dlt", record -> first.equals(record.key()));

    app.stop();
    app.start();
    Broker.send(topic, 0, id, "poison", "order-id=" + id);

    Broker.read(topic + "-dlt", record -> id.equals(record.key()));
    Broker.awaitCommitted(topic, 1);
  }
}
