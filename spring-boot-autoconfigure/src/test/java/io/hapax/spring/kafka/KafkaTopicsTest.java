package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.errors.RejectedMessageException;
import io.hapax.mark.MarkState;
import io.hapax.redrive.MarkOperations;
import io.hapax.spring.Idempotent;
import io.hapax.spring.actuate.HapaxEndpoint;
import io.hapax.spring.actuate.ManagementProperties;
import io.hapax.spring.actuate.RedriveDescription;
import io.hapax.spring.actuate.TopicAuditDescription;
import io.hapax.spring.actuate.TopicRefusal;
import io.hapax.spring.listener.ListenerTopics;
import io.hapax.spring.listener.Receivers;
import io.hapax.store.InMemoryDedupStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.kafka.annotation.KafkaListener;

/** The endpoint audits the topics of listeners, and redrives their dead letters. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class KafkaTopicsTest {

  private static String topic = "";
  private static String logged = "";
  private static ConfigurableApplicationContext app;

  /** What the listener takes. */
  public record Order(String id, int total) {}

  @KafkaApplication
  static class Billing {

    static final AtomicBoolean MENDED = new AtomicBoolean();
    final List<String> effects = new CopyOnWriteArrayList<>();

    @KafkaListener(topics = "${orders}", groupId = "billing")
    @Idempotent(id = "#{payload.id}")
    void on(Order order) {
      if (order.total() < 0 && !MENDED.get()) {
        throw new RejectedMessageException("the total is negative");
      }
      effects.add(order.id());
    }

    @KafkaListener(topics = "shipping-of-${orders}", groupId = "shipping")
    @Idempotent(id = "key")
    void ship(Order order) {}

    @KafkaListener(topics = "shipping-of-${orders}", groupId = "archive")
    @Idempotent(id = "key")
    void archive(Order order) {}
  }

  @BeforeAll
  static void start(CapturedOutput output) {
    topic = Broker.topic(1);
    Broker.createTopic(topic + "-dlt");
    Broker.createEndlessTopic("shipping-of-" + topic);
    for (String order : List.of("a\",\"total\":1", "b\",\"total\":2", "poison\",\"total\":-1")) {
      Broker.send(topic, 0, "key", "{\"id\":\"" + order + "}");
    }
    app = Broker.start(
        Billing.class,
        topic,
        "hapax.consumers.billing.dead-letters={topic}-dlt",
        "hapax.consumers.archive.dead-letters={topic}-gone",
        "spring.kafka.consumer.value-deserializer="
            + "org.springframework.kafka.support.serializer.JsonDeserializer",
        "spring.kafka.consumer.properties.spring.json.value.default.type=" + Order.class.getName());
    logged = output.getAll();
    await().until(() -> Broker.committed("billing", topic, 0) == 3);
  }

  @AfterAll
  static void stop() {
    app.close();
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
  void an_audit_knows_messages_that_took_effect_by_the_listeners_own_id() {
    TopicAuditDescription audit = (TopicAuditDescription)
        body(endpoint(false).read("billing", "audit", null, null, null), 200);

    assertThat(audit.topic()).isEqualTo(topic);
    assertThat(audit.messages()).isGreaterThanOrEqualTo(3);
    assertThat(audit.ids().done()).isGreaterThanOrEqualTo(2);
    assertThat(audit.wouldRunAgain()).isZero();
    assertThat(audit.conflicts()).isZero();
    assertThat(audit.cut()).isFalse();
  }

  @Test
  void an_audit_says_that_it_was_cut_at_its_limit() {
    TopicAuditDescription audit =
        (TopicAuditDescription) body(endpoint(false).read("billing", "audit", topic, null, 1), 200);

    assertThat(audit.messages()).isEqualTo(1);
    assertThat(audit.cut()).isTrue();
  }

  @Test
  void a_request_that_takes_too_long_is_cut_off() {
    HapaxEndpoint hurried = endpoint(false, Duration.ofMillis(1));

    assertThat(why(hurried.read("billing", "audit", topic, null, null), 503))
        .startsWith("cut off after hapax.management.timeout of PT0.001S");
    await()
        .untilAsserted(() ->
            why(hurried.read("billing", "audit", topic, null, null), 503)); // not 429 for ever
  }

  @Test
  void a_redrive_publishes_a_dead_letter_if_writes_are_allowed() {
    String id = topic + "/poison";
    assertThat(endpoint(false).write("billing", "redrive", null, id, null, null).getStatus())
        .isEqualTo(403);
    RedriveDescription plan =
        (RedriveDescription) body(endpoint(false).read("billing", "redrive", null, id, null), 200);
    assertThat(plan.published()).isEqualTo(1);
    assertThat(plan.toString()).doesNotContain("total\"");
    assertThat(state(id)).isEqualTo(MarkState.DEAD);

    Billing.MENDED.set(true);
    RedriveDescription redrive = (RedriveDescription)
        body(endpoint(true).write("billing", "redrive", null, id, null, null), 200);

    assertThat(redrive.executed()).isTrue();
    assertThat(redrive.published()).isEqualTo(1);
    await().until(() -> app.getBean(Billing.class).effects.contains("poison"));
    await().until(() -> state(id) == MarkState.DONE);
  }

  @Test
  void a_redrive_needs_a_selection_and_a_topic_of_dead_letters() {
    HapaxEndpoint endpoint = endpoint(true);

    assertThat(why(endpoint.write("billing", "redrive", null, null, null, null), 400))
        .isEqualTo("one of id and all must be set, and not both");
    assertThat(why(endpoint.write("shipping", "redrive", null, null, true, null), 404))
        .startsWith("Hapax publishes no dead-letter records of topic shipping-of-" + topic);
  }

  @Test
  void an_unknown_consumer_topic_or_view_is_refused() {
    HapaxEndpoint endpoint = endpoint(true);

    assertThat(why(endpoint.read("nobody", "audit", null, null, null), 404))
        .isEqualTo("no listener of a broker has that consumer");
    assertThat(why(endpoint.read("billing", "audit", "elsewhere", null, null), 400))
        .isEqualTo("topic is elsewhere but must be one that the consumer reads: " + topic);
    assertThat(why(endpoint.read("billing", "replay", null, null, null), 404))
        .isEqualTo("'replay' behind the consumer must be audit or redrive");
    assertThat(why(endpoint.read("billing", "redrive", null, " ", null), 400))
        .contains("message id is blank");
  }

  private static HapaxEndpoint endpoint(boolean writes) {
    return endpoint(writes, Duration.ofSeconds(30));
  }

  private static HapaxEndpoint endpoint(boolean writes, Duration timeout) {
    return new HapaxEndpoint(
        app.getBean(Receivers.class),
        Map::of,
        app.getBeanProvider(ListenerTopics.Source.class),
        new ManagementProperties(writes, true, timeout, null));
  }

  private static Object body(WebEndpointResponse<Object> response, int status) {
    assertThat(response.getStatus()).as(String.valueOf(response.getBody())).isEqualTo(status);
    return response.getBody();
  }

  private static String why(WebEndpointResponse<Object> response, int status) {
    return ((TopicRefusal) body(response, status)).why();
  }

  private static MarkState state(String id) {
    return new MarkOperations(app.getBean(InMemoryDedupStore.class), "billing")
        .find(id)
        .orElseThrow()
        .state();
  }
}
