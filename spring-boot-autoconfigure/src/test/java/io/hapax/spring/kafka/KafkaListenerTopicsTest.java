package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.operations.audit.TopicAudit;
import io.hapax.operations.topic.AuditProgress;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import io.hapax.spring.Idempotent;
import io.hapax.spring.listener.ListenerTopics;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.kafka.annotation.KafkaListener;

/** The start warns about the topics of listeners, and operators work on them. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class KafkaListenerTopicsTest {

  private static String topic = "";
  private static String logged = "";

  @KafkaApplication
  static class Orders {

    @KafkaListener(topics = "${orders}", groupId = "billing")
    @Idempotent(id = "key")
    void on(String order) {}
  }

  @KafkaApplication
  static class Billing extends Orders {

    @KafkaListener(topics = "shipping-of-${orders}", groupId = "shipping")
    @Idempotent(id = "key")
    void ship(String order) {}

    @KafkaListener(topics = "shipping-of-${orders}", groupId = "archive")
    @Idempotent(id = "key")
    void archive(String order) {}
  }

  /** Counts its open objects, and can refuse to make one. */
  public static final class CountedDeserializer extends StringDeserializer {

    private static final AtomicInteger OPEN = new AtomicInteger();
    private static volatile boolean broken;

    @Override
    public void configure(Map<String, ?> properties, boolean isKey) {
      if (broken) {
        throw new IllegalStateException("no such schema registry");
      }
      OPEN.incrementAndGet();
    }

    @Override
    public void close() {
      OPEN.decrementAndGet();
    }
  }

  @BeforeAll
  static void start(CapturedOutput output) {
    topic = Broker.topic(1);
    Broker.createTopic(topic + "-dlt");
    Broker.createEndlessTopic("shipping-of-" + topic);
    Broker.start(
            Billing.class,
            topic,
            "spring.kafka.properties.metric.reporters="
                + DeadLetteredBytesTest.Plugin.class.getName(),
            "spring.kafka.properties.plugin.secret=given",
            "hapax.consumers.billing.dead-letters={topic}-dlt",
            "hapax.consumers.archive.dead-letters={topic}-gone")
        .close();
    logged = output.getAll();
  }

  @Test
  void a_missing_topic_of_dead_letters_is_warned_of_at_start() {
    assertThat(logged)
        .contains("Billing.archive: hapax.consumers.archive.dead-letters is '{topic}-gone', but"
            + " topic shipping-of-" + topic + "-gone does not exist: a message of shipping-of-"
            + topic + " that fails for good will block its partition until you create it")
        .doesNotContain("but topic " + topic + "-dlt does not exist");
  }

  @Test
  void a_topic_that_keeps_records_longer_than_their_marks_is_warned_of() {
    assertThat(logged)
        .contains("Billing.ship: Topic shipping-of-" + topic + " keeps records for retention.ms -1")
        .doesNotContain("Topic " + topic + " keeps records");
  }

  @Test
  void brokers_that_cannot_be_reached_keep_no_application_from_starting(CapturedOutput output) {
    try (ConfigurableApplicationContext unconnected = Broker.start(
        Billing.class,
        topic,
        "spring.kafka.bootstrap-servers=localhost:1",
        "spring.kafka.listener.auto-startup=false",
        "hapax.dead-letters={topic}-dlt")) {
      assertThat(unconnected.isRunning()).isTrue();
      assertThat(output).contains("Could not check the topics of listeners with @Idempotent");
    }
  }

  @Test
  void an_operation_has_its_own_deserializers_and_fails_without_them() throws Exception {
    String orders = Broker.topic(1);
    Broker.send(orders, 0, "order-1", "order-1");
    try (ConfigurableApplicationContext stopped = Broker.start(
        Orders.class,
        orders,
        "spring.kafka.listener.auto-startup=false",
        "spring.kafka.consumer.value-deserializer=" + CountedDeserializer.class.getName())) {
      ListenerTopics topics =
          stopped.getBean(IdempotentListeners.class).topics().get(0);
      ListenerTopics.Use<TopicAudit, Long> counting =
          it -> it.run(TopicPart.all(orders), StartingPoint.beginning()).messages();

      assertThat(topics.audit(AuditProgress.NONE, counting)).isEqualTo(1);
      assertThat(topics.<Integer>redrive(it -> CountedDeserializer.OPEN.get())).isEqualTo(1);
      assertThat(CountedDeserializer.OPEN).hasValue(0);

      CountedDeserializer.broken = true;
      assertThatThrownBy(() -> topics.audit(AuditProgress.NONE, counting))
          .hasMessageContaining("no such schema registry");
      assertThatThrownBy(() -> topics.redrive(it -> ""))
          .hasMessageContaining("no such schema registry");
    }
  }
}
