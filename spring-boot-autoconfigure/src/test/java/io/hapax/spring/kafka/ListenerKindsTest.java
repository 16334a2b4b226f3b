package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.hapax.spring.CurrentDelivery;
import io.hapax.spring.Idempotent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaHandler;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.RecordInterceptor;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.kafka.support.converter.RecordMessageConverter;
import org.springframework.kafka.support.converter.StringJsonMessageConverter;
import org.springframework.stereotype.Component;

/** Listeners of every shape, in one application. */
@Timeout(60)
class ListenerKindsTest {

  private static final String JSON =
      "org.springframework.kafka.support.serializer.JsonDeserializer";

  /** A value with the id of its test. */
  private static final String ORDER = "an order";

  private static final List<String> EFFECTS = new CopyOnWriteArrayList<>();
  private static final List<String> INTERCEPTED = new CopyOnWriteArrayList<>();
  private static final AtomicInteger IDS = new AtomicInteger();

  private static String prefix = "";

  @AutoClose
  private static ConfigurableApplicationContext app;

  private final String id = "id-" + IDS.incrementAndGet();

  /** What most listeners take. */
  public record Order(String id, int total) {}

  @KafkaApplication
  static class Kinds {

    @Bean
    RecordMessageConverter converter() {
      return new StringJsonMessageConverter();
    }

    @Bean
    RecordInterceptor<Object, Object> interceptor() {
      return new RecordInterceptor<>() {
        @Override
        public @Nullable ConsumerRecord<Object, Object> intercept(
            ConsumerRecord<Object, Object> record, Consumer<Object, Object> consumer) {
          INTERCEPTED.add("intercepted " + record.key());
          return record.headers().lastHeader("skip") == null ? record : null;
        }

        @Override
        public void success(
            ConsumerRecord<Object, Object> record, Consumer<Object, Object> consumer) {
          INTERCEPTED.add("succeeded " + record.key());
        }
      };
    }

    @Bean
    Overriding overriding() {
      return new Overriding();
    }

    @Bean
    Everything everything() {
      return new Everything();
    }

    @KafkaListener(topics = "${orders}-converted", groupId = "billing")
    @Idempotent(id = "json:/id")
    void converted(Order order) {
      EFFECTS.add("converted " + order.total());
    }

    @KafkaListener(
        topics = "${orders}-deserialized",
        groupId = "billing",
        properties = {
          "value.deserializer=" + JSON,
          "spring.json.value.default.type=io.hapax.spring.kafka.ListenerKindsTest$Order"
        })
    @Idempotent(id = "json:/id")
    void deserialized(ConsumerRecord<String, Order> order) {
      EFFECTS.add(
          "deserialized " + order.value().total() + " " + order.headers().toArray().length);
    }

    @KafkaListener(topics = "${orders}-expression", groupId = "billing")
    @Idempotent(id = "#{headers['tenant'] + ':' + key}", fingerprint = "none")
    void expression(String order, Consumer<?, ?> consumer) {
      EFFECTS.add(order + " " + consumer.groupMetadata().groupId());
    }

    @KafkaListener(topics = "${orders}-records", groupId = "billing", batch = "true")
    @Idempotent(id = "key")
    void records(List<ConsumerRecord<String, String>> orders) {
      orders.forEach(order -> EFFECTS.add("record " + order.value()));
    }

    @KafkaListener(topics = "${orders}-payloads", groupId = "billing", batch = "true")
    @Idempotent(id = "key")
    void payloads(List<Order> orders) {
      orders.forEach(order -> EFFECTS.add("payload " + order.total()));
    }

    @KafkaListener(topics = "${orders}-acknowledged", groupId = "billing")
    @Idempotent(id = "key")
    void acknowledged(String order, Acknowledgment acknowledgment) {
      EFFECTS.add(order + " " + CurrentDelivery.get().orElseThrow().attempt());
      if (EFFECTS.size() == 1 && order.equals("nack")) {
        acknowledgment.nack(Duration.ofMillis(100));
      } else if (EFFECTS.size() > 1 || !order.equals("forget")) {
        acknowledgment.acknowledge();
      }
    }

    @KafkaListener(
        id = "concurrent",
        topics = "${orders}-concurrent",
        groupId = "billing",
        concurrency = "2")
    @Idempotent(id = "key")
    void concurrent(String order) {
      EFFECTS.add(order + " " + Thread.currentThread().getName());
    }
  }

  interface Handles<T> {
    void on(T order);
  }

  static class Overridden implements Handles<String> {
    @Override
    @KafkaListener(topics = "${orders}-overriding", groupId = "billing")
    @Idempotent(id = "key")
    public void on(String order) {
      EFFECTS.add("overridden " + order);
    }
  }

  static class Overriding extends Overridden implements Handles<String> {
    @Override
    public void on(String order) {
      EFFECTS.add("overriding " + order);
    }
  }

  @Component
  @KafkaListener(topics = "${orders}-class", groupId = "billing")
  @Idempotent(id = "key")
  static class Everything {

    @KafkaHandler(isDefault = true)
    void on(Object order) {
      EFFECTS.add("class " + order);
    }
  }

  @BeforeAll
  static void start() {
    prefix = Broker.topic(1);
    List.of(
            "converted",
            "deserialized",
            "expression",
            "records",
            "payloads",
            "acknowledged",
            "overriding",
            "class")
        .forEach(kind -> Broker.createTopic(prefix + "-" + kind, 1));
    Broker.createTopic(prefix + "-concurrent", 2);
    app = Broker.start(Kinds.class, prefix);
  }

  @BeforeEach
  void forget() {
    EFFECTS.clear();
  }

  static Stream<Arguments> kinds() {
    return Stream.of(
        // a payload is identified by its JSON, and by the bytes that it was read from
        arguments("converted", ORDER, "converted 7"),
        arguments("deserialized", ORDER, "deserialized 7 1"),
        // an expression reads headers and key, and the consumer can be used
        arguments("expression", "order", "order billing"),
        // a list has only what has not taken effect
        arguments("records", "order", "record \"order\""),
        arguments("payloads", ORDER, "payload 7"),
        arguments("class", "order", "class order"),
        // an acknowledged message is done
        arguments("acknowledged", "order", "order 1"));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void a_message_that_comes_twice_takes_effect_once(String kind, String value, String effect) {
    twice(kind, value.equals(ORDER) ? json(7) : text(value));
    assertThat(EFFECTS).containsExactly(effect);
  }

  @Test
  void a_message_that_was_not_acknowledged_has_failed() {
    twice("acknowledged", text("forget"));
    assertThat(EFFECTS).containsExactly("forget 1", "forget 2");
  }

  @Test
  void a_nack_defers_a_message_without_an_attempt() {
    twice("acknowledged", text("nack"));
    assertThat(EFFECTS).containsExactly("nack 1", "nack 1");
  }

  @Test
  void a_method_that_implements_and_overrides_others_takes_each_message_once() {
    twice("overriding", text("order"));
    assertThat(EFFECTS).containsExactly("overriding order");
  }

  @Test
  void an_interceptor_sees_and_may_skip_single_records() {
    String topic = prefix + "-converted";
    Broker.send(topic, 0, id, json(7), "skip=yes");
    Broker.send(topic, 0, id, json(8).replace(id, id + "b"));

    Broker.awaitCommitted(topic, 1);
    assertThat(EFFECTS).containsExactly("converted 8");
    assertThat(INTERCEPTED).contains("intercepted " + id, "succeeded " + id);
  }

  @Test
  void concurrent_consumers_have_their_own_polls() {
    await() // until then the first one that has joined the group reads both partitions
        .until(() -> Broker.container(app, "concurrent").getContainers().stream()
            .allMatch(each -> each.getAssignedPartitions().size() == 1));

    Broker.send(prefix + "-concurrent", 0, id, text("a"));
    Broker.send(prefix + "-concurrent", 1, id + "b", text("b"));

    await().until(() -> EFFECTS.size() == 2);
    assertThat(EFFECTS).anyMatch(it -> it.contains("-0-C-")).anyMatch(it -> it.contains("-1-C-"));
  }

  private static String text(String value) {
    return '"' + value + '"';
  }

  private String json(int total) {
    return "{\"id\":\"" + id + "\",\"total\":" + total + "}";
  }

  private void twice(String kind, String value) {
    String topic = prefix + "-" + kind;
    Broker.send(topic, 0, id, value, "tenant=a");
    Broker.send(topic, 0, id, value, "tenant=a");
    Broker.awaitCommitted(topic, 1);
  }
}
