package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.hapax.health.Problem;
import io.hapax.spring.Idempotent;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.RetryableTopic;
import org.springframework.kafka.event.ListenerContainerIdleEvent;
import org.springframework.kafka.event.ListenerContainerNoLongerIdleEvent;
import org.springframework.kafka.listener.BatchInterceptor;
import org.springframework.kafka.listener.RecordInterceptor;

/** An interceptor of the application that throws loses no message, and health names its method. */
class FailingInterceptorTest extends EffectsFixture {

  private static volatile String failing = "";

  private static void hook(String name) {
    if (name.equals(failing)) {
      throw new IllegalStateException("secret");
    } else if (name.equals("success") && failing.equals("success with an error")) {
      throw new NoClassDefFoundError("secret");
    }
  }

  @KafkaApplication
  static class OfRecords extends Plain {

    @Bean
    static RecordInterceptor<Object, Object> interceptor() {
      return new HookedInterceptors.OfRecords((method, consumer) -> hook(method));
    }
  }

  @KafkaApplication
  static class OfRetries {

    @Bean
    static RecordInterceptor<Object, Object> interceptor() {
      return new HookedInterceptors.OfRecords((method, consumer) -> hook(method));
    }

    /**
     * The container of dead letters is not Hapax's: its consumer would stay in the group for ever.
     */
    @RetryableTopic(attempts = "2", autoStartDltHandler = "false")
    @KafkaListener(topics = "${orders}", groupId = "billing")
    @Idempotent(id = "key")
    void on(String order) {
      EFFECTS.add(order);
    }
  }

  @KafkaApplication
  static class OfBatches {

    @Bean
    static BatchInterceptor<Object, Object> interceptor() {
      return new HookedInterceptors.OfBatches((method, consumer) -> hook(method));
    }

    @KafkaListener(topics = "${orders}", groupId = "billing", batch = "true")
    @Idempotent(id = "key")
    void on(List<String> orders) {
      EFFECTS.addAll(orders);
    }
  }

  @AfterEach
  void succeedAgain() {
    failing = "";
  }

  static Stream<Arguments> methods() {
    return Stream.of(
        arguments(OfRecords.class, "setupThreadState"),
        arguments(OfRetries.class, "setupThreadState"),
        arguments(OfBatches.class, "setupThreadState"),
        arguments(OfBatches.class, "intercept"),
        arguments(OfRecords.class, "clearThreadState"),
        arguments(OfRetries.class, "clearThreadState"),
        arguments(OfBatches.class, "clearThreadState"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"success", "success with an error"})
  void a_failure_after_the_listener_repeats_nothing(String method) {
    failing = method;
    Broker.send(topic, 0, "a", "order");
    try (ConfigurableApplicationContext app = Broker.start(OfRecords.class, topic)) {
      await().until(() -> Broker.committed("billing", topic, 0) == 1);
      assertThat(Broker.problems(app)).isEmpty();
    }
    assertThat(EFFECTS).containsExactly("order");
  }

  @KafkaApplication
  static class WithEvents extends Plain {

    @EventListener
    void on(ListenerContainerNoLongerIdleEvent event) {
      hook("event");
    }

    @EventListener
    void on(ListenerContainerIdleEvent event) {
      EFFECTS.add("idle");
    }
  }

  @Test
  void a_failing_listener_of_events_loses_no_record() {
    failing = "event";
    try (ConfigurableApplicationContext app =
        Broker.start(WithEvents.class, topic, "spring.kafka.listener.idle-event-interval=100ms")) {
      await().until(() -> EFFECTS.contains("idle"));
      Broker.send(topic, 0, "a", "order");
      await().until(() -> Broker.committed("billing", topic, 0) == 1);
    }
    assertThat(EFFECTS).contains("order");
  }

  @ParameterizedTest
  @MethodSource("methods")
  void a_method_that_fails_for_all_messages_is_a_problem_and_loses_nothing(
      Class<?> application, String method) {
    failing = method;
    Broker.send(topic, 0, "a", "order");
    try (ConfigurableApplicationContext app = Broker.start(application, topic)) {
      await().until(() -> !Broker.problems(app).isEmpty());
      assertThat(Broker.problems(app)).allSatisfy(problem -> {
        assertThat(problem.kind()).isEqualTo(Problem.Kind.INTERNAL_ERROR);
        assertThat(problem.text())
            .contains("HookedInterceptors$Of", method, "IllegalStateException")
            .doesNotContain("secret");
      });

      failing = "";
      await().until(() -> Broker.committed("billing", topic, 0) == 1);
      Broker.send(topic, 0, "b", "next");
      await().until(() -> Broker.committed("billing", topic, 0) == 2);
      await().until(() -> Broker.problems(app).isEmpty());
      assertThat(EFFECTS).containsExactly("order", "next");
    }
  }
}
