package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.errors.RejectedMessageException;
import io.hapax.health.Problem;
import io.hapax.spring.Idempotent;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectStreamException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.support.serializer.DeserializationException;
import org.springframework.kafka.support.serializer.JsonDeserializer;

/** Records whose value cannot be deserialized or converted. */
@Timeout(60)
class UnreadableRecordTest {

  private static final String JSON =
      "org.springframework.kafka.support.serializer.JsonDeserializer";
  private static final String GUARDED =
      "org.springframework.kafka.support.serializer.ErrorHandlingDeserializer";
  private static final int DELETED = -1;
  private static final List<Integer> EFFECTS = new CopyOnWriteArrayList<>();

  /** What the listeners take. */
  public record Order(String id, int total) {}

  @KafkaApplication
  static class Billing {

    @KafkaListener(topics = "${orders}", groupId = "billing")
    @Idempotent(id = "key")
    void on(Order order) {
      EFFECTS.add(order.total());
    }
  }

  @KafkaApplication
  static class InBatches {

    @KafkaListener(topics = "${orders}", groupId = "billing", batch = "true")
    @Idempotent(id = "key")
    void on(List<Order> orders) {
      orders.forEach(order -> EFFECTS.add(order.total()));
    }
  }

  @KafkaApplication
  static class WithRecoverer extends Billing {

    @Bean
    DeadLetterPublishingRecoverer recoverer(KafkaTemplate<?, ?> template) {
      return new DeadLetterPublishingRecoverer(template);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {JSON, GUARDED, BrokenDeserializer.NAME, SneakyDeserializer.NAME})
  void an_unreadable_value_is_dead_lettered_as_received(String deserializer) {
    assertDeadLettered(Billing.class, "hapax.dead-letters={topic}-dlt", deserializer);
  }

  @Test
  void a_value_that_is_unreadable_for_want_of_memory_is_read_again() {
    BrokenDeserializer.memoryFails = true;
    EFFECTS.clear();
    String topic = Broker.topic(1);
    Broker.createTopic(topic + "-dlt");
    Broker.send(topic, 0, "a", "{\"id\":\"a\",\"total\":1}");
    try (ConfigurableApplicationContext app = Broker.start(
        Billing.class,
        topic,
        "hapax.dead-letters={topic}-dlt",
        "spring.kafka.consumer.value-deserializer=" + BrokenDeserializer.NAME,
        "spring.kafka.consumer.properties.spring.json.value.default.type="
            + Order.class.getName())) {
      await().until(() -> !Broker.problems(app).isEmpty());
      assertThat(Broker.problems(app).get(0).kind()).isEqualTo(Problem.Kind.PARTITION_STOPPED);
      assertThat(Broker.problems(app).get(0).text()).contains(topic + "-0", "memory");
      BrokenDeserializer.memoryFails = false;

      await().until(() -> Broker.committed("billing", topic, 0) == 1);
      assertThat(EFFECTS).containsExactly(1);
      assertThat(Broker.end(topic + "-dlt", 0)).isZero();
      await().until(() -> Broker.problems(app).isEmpty());
    } finally {
      BrokenDeserializer.memoryFails = false;
    }
  }

  /** Fails with errors; Kafka makes it by its name. */
  public static final class BrokenDeserializer extends JsonDeserializer<Object> {

    static final String NAME = "io.hapax.spring.kafka.UnreadableRecordTest$BrokenDeserializer";

    static volatile boolean memoryFails;

    @Override
    public Object deserialize(String topic, Headers headers, byte[] data) {
      if (memoryFails) {
        throw new OutOfMemoryError("no room");
      }
      try {
        return super.deserialize(topic, headers, data);
      } catch (RuntimeException e) {
        throw new NoClassDefFoundError("com/shop/Order");
      }
    }
  }

  /** Throws checked exceptions that no signature declares, as one in another language. */
  public static final class SneakyDeserializer extends JsonDeserializer<Object> {

    static final String NAME = "io.hapax.spring.kafka.UnreadableRecordTest$SneakyDeserializer";

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> RuntimeException sneaky(Throwable error) throws E {
      throw (E) error;
    }

    @Override
    public Object deserialize(String topic, Headers headers, byte[] data) {
      try {
        return super.deserialize(topic, headers, data);
      } catch (RuntimeException e) {
        throw SneakyDeserializer.<RuntimeException>sneaky(new IOException("Unexpected character"));
      }
    }
  }

  /** Throws an error that can be written and not be read, as under a filter of the JVM. */
  public static final class FilteredDeserializer extends JsonDeserializer<Object> {

    static final String NAME = "io.hapax.spring.kafka.UnreadableRecordTest$FilteredDeserializer";

    private static final class FilteredException extends RuntimeException {

      private static final long serialVersionUID = 1L;

      private Object readResolve() throws ObjectStreamException {
        throw new InvalidObjectException("refused by a filter");
      }
    }

    @Override
    public Object deserialize(String topic, Headers headers, byte[] data) {
      try {
        return super.deserialize(topic, headers, data);
      } catch (RuntimeException e) {
        throw new FilteredException();
      }
    }
  }

  @KafkaApplication
  static class OfRecords {

    @KafkaListener(topics = "${orders}", groupId = "billing")
    @Idempotent(id = "key")
    void on(ConsumerRecord<String, Order> order) {
      EFFECTS.add(order.value() == null ? DELETED : order.value().total());
    }
  }

  @Test
  void a_value_whose_error_cannot_be_read_is_not_taken_for_a_deletion() {
    assertDeadLettered(
        OfRecords.class, "hapax.dead-letters={topic}-dlt", FilteredDeserializer.NAME);
  }

  @Test
  void in_a_batch_only_the_unreadable_value_is_dead_lettered() {
    assertDeadLettered(InBatches.class, "hapax.dead-letters={topic}-dlt", JSON);
  }

  @Test
  void the_recoverer_of_the_application_publishes_dead_letters() {
    ConsumerRecord<String, String> letter = assertDeadLettered(
        WithRecoverer.class,
        "spring.kafka.producer.value-serializer="
            + "org.apache.kafka.common.serialization.ByteArraySerializer",
        JSON);

    assertThat(letter.headers().lastHeader("kafka_dlt-original-topic")).isNotNull();
  }

  private static final class NoSuchItem extends RejectedMessageException {

    private static final long serialVersionUID = 1L;

    NoSuchItem() {
      super("no such item");
    }
  }

  /** Publishes only what it knows. */
  @KafkaApplication
  static class ByCause {

    @Bean
    DeadLetterPublishingRecoverer recoverer(KafkaTemplate<?, ?> template) {
      return new DeadLetterPublishingRecoverer(
          template,
          (record, error) -> error.getCause() instanceof NoSuchItem
                  || error.getCause() instanceof DeserializationException
              ? new TopicPartition(record.topic() + "-dlt", record.partition())
              : null);
    }

    @KafkaListener(topics = "${orders}", groupId = "billing")
    @Idempotent(id = "key")
    void on(Integer order) {
      throw new NoSuchItem();
    }
  }

  @Test
  void the_recoverer_chooses_by_the_cause_and_a_partition_that_exists() {
    String topic = Broker.topic(2);
    Broker.createTopic(topic + "-dlt");
    Broker.send(topic, 1, "a", "1");
    Broker.send(topic, 1, "b", "no JSON");
    try (ConfigurableApplicationContext app = Broker.start(
        ByCause.class,
        topic,
        "spring.kafka.consumer.value-deserializer=" + JSON,
        "spring.kafka.consumer.properties.spring.json.value.default.type=java.lang.Integer",
        "spring.kafka.producer.value-serializer="
            + "org.springframework.kafka.support.serializer.JsonSerializer")) {
      await().until(() -> Broker.committed("billing", topic, 1) == 2);
      assertThat(Broker.end(topic + "-dlt", 0)).isEqualTo(2);
    }
  }

  private static ConsumerRecord<String, String> assertDeadLettered(
      Class<?> application, String property, String deserializer) {
    EFFECTS.clear();
    String topic = Broker.topic(1);
    Broker.createTopic(topic + "-dlt");
    Broker.send(topic, 0, "a", "{\"id\":\"a\",\"total\":1}");
    Broker.send(topic, 0, "b", "no JSON");
    Broker.send(topic, 0, "c", "{\"id\":\"c\",\"total\":3}");
    try (ConfigurableApplicationContext app = Broker.start(
        application,
        topic,
        property,
        "spring.kafka.consumer.value-deserializer=" + deserializer,
        "spring.kafka.consumer.properties.spring.deserializer.value.delegate.class=" + JSON,
        "spring.kafka.consumer.properties.spring.json.value.default.type="
            + Order.class.getName())) {
      await().until(() -> Broker.committed("billing", topic, 0) == 3);
      ConsumerRecord<String, String> letter =
          Broker.read(topic + "-dlt", record -> "b".equals(record.key()));
      assertThat(letter.value().getBytes(StandardCharsets.UTF_8))
          .isEqualTo("no JSON".getBytes(StandardCharsets.UTF_8));
      assertThat(letter.headers())
          .noneMatch(header -> header.key().startsWith("hapax-kept"))
          .noneMatch(header -> header.key().startsWith("springDeserializerException"));
      assertThat(EFFECTS).containsExactly(1, 3);
      return letter;
    }
  }
}
