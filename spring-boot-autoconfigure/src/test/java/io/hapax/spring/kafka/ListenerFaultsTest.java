package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.springframework.kafka.support.serializer.SerializationUtils.VALUE_DESERIALIZER_EXCEPTION_HEADER;

import io.hapax.OutcomeProbe;
import io.hapax.ProbeSettings;
import io.hapax.ReceiverBuilder;
import io.hapax.UnknownOutcomePolicy;
import io.hapax.spring.Idempotent;
import io.hapax.spring.listener.ReceiverCustomizer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.aopalliance.intercept.MethodInterceptor;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.DltHandler;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.RetryableTopic;
import org.springframework.kafka.config.ContainerCustomizer;
import org.springframework.kafka.listener.BatchListenerFailedException;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.RecordInterceptor;
import org.springframework.kafka.listener.adapter.RecordFilterStrategy;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.messaging.Message;

/** Listeners that break a rule in their first call: no message is lost, and none blocks others. */
class ListenerFaultsTest extends EffectsFixture {

  @KafkaApplication
  static class Forgetful {

    @KafkaListener(topics = "${orders}", groupId = "billing")
    @Idempotent(id = "key")
    void on(Message<String> order) {
      EFFECTS.add("committed " + Broker.committed("billing", receivedFrom(order), 0));
      if (EFFECTS.size() > 1) {
        Objects.requireNonNull(
                order.getHeaders().get(KafkaHeaders.ACKNOWLEDGMENT, Acknowledgment.class))
            .acknowledge();
      }
    }

    private static String receivedFrom(Message<String> order) {
      return Objects.requireNonNull(
          order.getHeaders().get(KafkaHeaders.RECEIVED_TOPIC, String.class));
    }
  }

  @KafkaApplication
  static class ForgetfulWithRetries {

    @RetryableTopic(attempts = "2")
    @KafkaListener(topics = "${orders}", groupId = "billing")
    @Idempotent(id = "key")
    void on(Message<String> order) {
      EFFECTS.add(order.getPayload());
    }

    @DltHandler
    void dead(String order) {
      EFFECTS.add("dead " + order);
    }
  }

  @KafkaApplication
  static class Interrupted {

    @KafkaListener(topics = "${orders}", groupId = "billing")
    @Idempotent(id = "key")
    void on(String order) throws InterruptedException {
      EFFECTS.add(order);
      if (EFFECTS.size() == 1) {
        throw new InterruptedException("not by the container");
      }
    }
  }

  /** Its type does not show that its listener may return a future. */
  static class Answering<R> {

    private final R answer;

    Answering(R answer) {
      this.answer = answer;
    }

    @KafkaListener(topics = "${orders}", groupId = "billing", batch = "${batch:false}")
    @Idempotent(id = "key")
    R on(Object order) {
      EFFECTS.add("begun");
      return answer;
    }
  }

  @KafkaApplication
  static class AnsweringLater extends Answering<CompletableFuture<String>> {
    AnsweringLater() {
      super(new CompletableFuture<>());
    }
  }

  @KafkaApplication
  static class Committing {

    @KafkaListener(topics = "${orders}", groupId = "billing")
    @Idempotent(id = "key")
    void on(String order, Consumer<?, ?> consumer) {
      EFFECTS.add(order + " at " + consumer.assignment().size());
      try {
        consumer.commitSync();
      } catch (IllegalStateException refused) {
        EFFECTS.add(String.valueOf(refused.getMessage()));
      }
      EFFECTS.add("committed "
          + Broker.committed("billing", consumer.assignment().iterator().next().topic(), 0));
    }
  }

  @KafkaApplication
  static class Probed {

    private static final OutcomeProbe<Object> PROBE = delivery -> OutcomeProbe.Answer.NOT_APPLIED;

    @Bean
    OutcomeProbe<Object> probe() {
      return PROBE;
    }

    /** The quiet period is longer than a call usually waits. */
    @Bean
    @SuppressWarnings("unchecked") // the probe reads nothing of the message
    ReceiverCustomizer shortQuietPeriod() {
      ProbeSettings settings = new ProbeSettings(Duration.ofSeconds(1), Duration.ofSeconds(7));
      return (definition, builder) -> ((ReceiverBuilder<Object>) builder)
          .onUnknownOutcome(UnknownOutcomePolicy.probe(PROBE, settings));
    }

    @KafkaListener(topics = "${orders}", groupId = "billing")
    @Idempotent(id = "key", onUnknownOutcome = "probe:probe")
    void on(String order) {
      EFFECTS.add(order);
      if (EFFECTS.size() == 1) {
        throw new IllegalStateException("fails in doubt");
      }
    }
  }

  @KafkaApplication
  static class AcknowledgingPartly {

    @KafkaListener(topics = "${orders}", groupId = "billing", batch = "true")
    @Idempotent(id = "key")
    void on(List<ConsumerRecord<String, String>> orders, Acknowledgment acknowledgment) {
      EFFECTS.add(orders.stream().map(ConsumerRecord::key).toList().toString());
      if (EFFECTS.size() == 1) {
        failAfterTheFirst(orders, acknowledgment);
      }
      acknowledgment.acknowledge();
    }

    void failAfterTheFirst(
        List<ConsumerRecord<String, String>> orders, Acknowledgment acknowledgment) {
      acknowledgment.acknowledge(0);
      throw new IllegalStateException("fails");
    }
  }

  @KafkaApplication
  static class FailingInAFuture extends AcknowledgingPartly {

    @Override
    void failAfterTheFirst(
        List<ConsumerRecord<String, String>> orders, Acknowledgment acknowledgment) {
      throw new CompletionException(new BatchListenerFailedException("fails", orders.get(1)));
    }
  }

  @KafkaApplication
  static class Filtered {

    @Bean
    RecordFilterStrategy<Object, Object> filter() {
      return record -> "discarded".equals(record.value());
    }

    @KafkaListener(topics = "${orders}", groupId = "billing", batch = "true")
    @Idempotent(id = "key")
    void on(List<ConsumerRecord<String, String>> orders) {
      EFFECTS.add(orders.stream().map(ConsumerRecord::key).toList().toString());
      if (EFFECTS.size() == 1) {
        throw new BatchListenerFailedException("fails", orders.size() - 1);
      }
    }
  }

  static class ById {

    @KafkaListener(topics = "${orders}", groupId = "billing")
    @Idempotent(id = "header:order-id")
    void on(String order) {
      EFFECTS.add(order);
    }
  }

  @KafkaApplication
  static class FilteredOne extends ById {

    @Bean
    RecordFilterStrategy<Object, Object> filter() {
      return record -> {
        EFFECTS.add("filter " + record.value());
        if (record.value().equals("fails") && EFFECTS.size() <= 2) {
          throw new IllegalStateException("the filter fails");
        }
        return record.value().equals("discarded");
      };
    }
  }

  @KafkaApplication
  static class FilteredWithMemory {

    @Bean
    RecordFilterStrategy<Object, Object> filter() {
      Set<Object> seen = new HashSet<>();
      return record -> {
        if (record.value().equals("fails") && seen.isEmpty()) {
          seen.add("failed once");
          throw new IllegalStateException("the filter fails");
        }
        return !seen.add(record.value());
      };
    }

    @KafkaListener(topics = "${orders}", groupId = "billing")
    @Idempotent(id = "header:order-id", fingerprint = "none")
    void on(String order) {
      EFFECTS.add(order);
    }
  }

  @KafkaApplication
  static class FilteredAndFailing {

    @Bean
    RecordFilterStrategy<Object, Object> filter() {
      Set<Object> seen = new HashSet<>();
      return record -> !seen.add(record.value());
    }

    @KafkaListener(id = "failing", topics = "${orders}", groupId = "billing")
    @Idempotent(id = "key")
    void on(String order) {
      EFFECTS.add(order);
      if (EFFECTS.size() == 1) {
        throw new IllegalStateException("fails once");
      }
    }
  }

  @KafkaApplication
  static class FilteredWithAdvice extends FilteredWithMemory {

    @Bean
    ContainerCustomizer<Object, Object, ConcurrentMessageListenerContainer<Object, Object>>
        advice() {
      MethodInterceptor advice = call -> call.proceed();
      return container -> container.getContainerProperties().setAdviceChain(advice);
    }
  }

  @KafkaApplication
  static class FilteredWithRetries {

    @Bean
    static RecordFilterStrategy<Object, Object> filter() {
      return record -> record.value().equals("discarded");
    }

    @RetryableTopic(attempts = "2")
    @KafkaListener(topics = "${orders}", groupId = "billing")
    @Idempotent(id = "header:order-id")
    void on(String order) {
      EFFECTS.add(order);
    }

    @DltHandler
    void dead(String order) {
      EFFECTS.add("dead " + order);
    }
  }

  @KafkaApplication
  static class Skipping extends ById {

    @Bean
    RecordInterceptor<Object, Object> interceptor() {
      return (record, consumer) -> record.value().equals("discarded") ? null : record;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"manual", "manual_immediate"})
  void in_manual_mode_a_message_with_headers_has_to_be_acknowledged(String mode) {
    Broker.send(topic, 0, "a", "order");
    Broker.handle(Forgetful.class, topic, 1, "spring.kafka.listener.ack-mode=" + mode);
    assertThat(EFFECTS).containsExactly("committed 0", "committed 0");
  }

  @Test
  void in_manual_mode_a_message_that_was_not_acknowledged_goes_to_the_retry_topic() {
    Broker.send(topic, 0, "a", "order");
    try (ConfigurableApplicationContext app =
        Broker.start(ForgetfulWithRetries.class, topic, "spring.kafka.listener.ack-mode=manual")) {
      await().until(() -> EFFECTS.contains("dead order"));
    }
    assertThat(EFFECTS).containsExactly("order", "order", "dead order");
  }

  @Test
  void a_message_in_doubt_runs_after_the_quiet_period_of_its_probe() {
    Broker.send(topic, 0, "a", "order");
    Broker.handle(Probed.class, topic, 1);
    assertThat(EFFECTS).containsExactly("order", "order");
  }

  @ParameterizedTest
  @ValueSource(classes = {AcknowledgingPartly.class, FailingInAFuture.class})
  void what_a_batch_had_handled_before_its_failure_does_not_run_again(Class<?> application) {
    Broker.sendAtOnce(topic, "a", "b");
    Broker.handle(application, topic, 2);
    assertThat(EFFECTS).containsExactly("[a, b]", "[b]");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_message_whose_listener_returns_a_future_is_not_done(boolean batch) {
    Broker.createTopic(topic + "-dlt");
    Broker.send(topic, 0, "a", "order");
    Broker.handle(
        AnsweringLater.class, topic, 1, "batch=" + batch, "hapax.dead-letters={topic}-dlt");
    assertThat(Broker.end(topic + "-dlt", 0)).isEqualTo(1);
    assertThat(EFFECTS).containsExactly("begun");
  }

  @Test
  void an_interruption_by_the_listener_ends_its_call_only() {
    Broker.send(topic, 0, "x", "x");
    Broker.send(topic, 0, "y", "y");
    Broker.handle(Interrupted.class, topic, 2, "hapax.consumers.billing.lease=2s");
    assertThat(EFFECTS).startsWith("x").contains("y");
  }

  @Test
  void a_listener_cannot_commit_by_its_consumer() {
    Broker.send(topic, 0, "a", "order");
    Broker.handle(Committing.class, topic, 1);
    assertThat(EFFECTS).hasSize(3).contains("order at 1", "committed 0");
    assertThat(EFFECTS.get(1)).contains("commitSync").contains("Hapax commits");
  }

  @Test
  void a_record_that_the_filter_discards_needs_no_id_and_leaves_no_mark() {
    Broker.send(topic, 0, "a", "discarded");
    Broker.send(topic, 0, "b", "discarded", "order-id=1");
    Broker.send(topic, 0, "b", "fine", "order-id=1");
    Broker.send(topic, 0, "c", "discarded");
    Broker.handle(FilteredOne.class, topic, 4);
    assertThat(EFFECTS).containsOnlyOnce("filter fine", "fine").hasSize(5);
  }

  @Test
  void a_filter_is_asked_about_a_record_with_the_header_of_an_error_that_a_producer_sent() {
    Broker.send(
        topic, 0, "a", "discarded", "order-id=1", VALUE_DESERIALIZER_EXCEPTION_HEADER + "=sent");
    Broker.handle(FilteredOne.class, topic, 1);
    assertThat(EFFECTS).containsExactly("filter discarded");
  }

  @Test
  void a_filter_that_fails_is_a_failed_attempt_of_its_record() {
    Broker.send(topic, 0, "a", "fails", "order-id=1");
    Broker.handle(FilteredOne.class, topic, 1);
    assertThat(EFFECTS).containsExactly("filter fails", "filter fails", "filter fails", "fails");
  }

  @Test
  void a_filter_with_a_memory_is_not_asked_again_about_a_record_that_was_deferred() {
    try (ConfigurableApplicationContext app = Broker.start(FilteredWithMemory.class, topic)) {
      Broker.claimElsewhere(app, topic, "1", Duration.ofSeconds(2));
      Broker.send(topic, 0, "a", "busy", "order-id=1");
      Broker.send(topic, 0, "a", "other", "order-id=2");
      await().until(() -> Broker.committed("billing", topic, 0) == 2);
    }
    assertThat(EFFECTS).containsExactlyInAnyOrder("busy", "other");
  }

  @Test
  void a_filter_with_a_memory_is_not_asked_again_after_its_container_was_stopped() {
    Broker.send(topic, 0, "a", "order");
    try (ConfigurableApplicationContext app =
        Broker.start(FilteredAndFailing.class, topic, "hapax.consumers.billing.first-backoff=3s")) {
      await().until(() -> EFFECTS.size() == 1);
      Broker.container(app, "failing").stop();
      Broker.container(app, "failing").start();
      await().until(() -> Broker.committed("billing", topic, 0) == 1);
    }
    assertThat(EFFECTS).containsExactly("order", "order");
  }

  @Test
  void a_filter_that_fails_for_one_record_is_not_asked_again_about_another_one() {
    Broker.send(topic, 0, "a", "fails", "order-id=1");
    Broker.send(topic, 0, "b", "other", "order-id=2");
    Broker.handle(FilteredWithMemory.class, topic, 2);
    assertThat(EFFECTS).containsExactlyInAnyOrder("fails", "other");
  }

  @Test
  void a_filter_is_asked_once_also_if_its_listener_has_an_advice() {
    Broker.send(topic, 0, "a", "order", "order-id=1");
    Broker.handle(FilteredWithAdvice.class, topic, 1);
    assertThat(EFFECTS).containsExactly("order");
  }

  @Test
  void a_discarded_record_reaches_no_retry_topic() {
    Broker.send(topic, 0, "a", "discarded");
    Broker.send(topic, 0, "b", "fine", "order-id=1");
    Broker.handle(FilteredWithRetries.class, topic, 2);
    assertThat(EFFECTS).containsExactly("fine");
    assertThat(Broker.end(topic + "-retry", 0)).isZero();
  }

  @Test
  void a_record_that_an_interceptor_drops_needs_no_id() {
    Broker.send(topic, 0, "a", "discarded");
    Broker.send(topic, 0, "b", "fine", "order-id=1");
    Broker.handle(Skipping.class, topic, 2);
    assertThat(EFFECTS).containsExactly("fine");
  }

  @Test
  void behind_a_filter_the_index_of_a_failure_means_the_same_record() {
    Broker.send(topic, 0, "a", "discarded");
    Broker.send(topic, 0, "b", "fine");
    Broker.send(topic, 0, "c", "fails");
    Broker.handle(Filtered.class, topic, 3);
    assertThat(EFFECTS).containsExactly("[b, c]", "[c]");
  }
}
