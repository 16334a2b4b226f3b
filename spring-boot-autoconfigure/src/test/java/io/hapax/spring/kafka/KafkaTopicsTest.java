package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.spring.Idempotent;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.kafka.annotation.KafkaListener;

/** The start warns about the topics of listeners. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class KafkaTopicsTest {

  private static String topic = "";
  private static String logged = "";

  @KafkaApplication
  static class Billing {

    @KafkaListener(topics = "${orders}", groupId = "billing")
    @Idempotent(id = "key")
    void on(String order) {}

    @KafkaListener(topics = "shipping-of-${orders}", groupId = "shipping")
    @Idempotent(id = "key")
    void ship(String order) {}

    @KafkaListener(topics = "shipping-of-${orders}", groupId = "archive")
    @Idempotent(id = "key")
    void archive(String order) {}
  }

  @BeforeAll
  static void start(CapturedOutput output) {
    topic = Broker.topic(1);
    Broker.createTopic(topic + "-dlt");
    Broker.createEndlessTopic("shipping-of-" + topic);
    Broker.start(
            Billing.class,
            topic,
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
}
