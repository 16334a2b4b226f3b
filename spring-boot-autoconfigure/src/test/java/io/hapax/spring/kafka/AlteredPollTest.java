package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.health.Problem;
import io.hapax.health.Problem.Kind;
import io.hapax.spring.Idempotent;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.AliasFor;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.RetryableTopic;
import org.springframework.kafka.listener.BatchInterceptor;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.listener.RecordInterceptor;

/** What an interceptor of the consumer makes of a poll before the listener has it. */
class AlteredPollTest extends EffectsFixture {

  private static final AtomicBoolean FAILS = new AtomicBoolean();

  private static volatile UnaryOperator<Map<TopicPartition, List<ConsumerRecord<String, String>>>>
      change = UnaryOperator.identity();

  @AfterEach
  void change_nothing() {
    change = UnaryOperator.identity();
  }

  public static final class Altering extends PollInterceptor<String> {

    @Override
    Map<TopicPartition, List<ConsumerRecord<String, String>>> altered(
        Map<TopicPartition, List<ConsumerRecord<String, String>>> records) {
      return change.apply(records);
    }
  }

  /** Two consumers, whose polls the interceptor alters. */
  @Retention(RetentionPolicy.RUNTIME)
  @KafkaListener(
      id = "altered",
      topics = "${orders}",
      groupId = "billing",
      concurrency = "2",
      properties = "interceptor.classes=io.hapax.spring.kafka.AlteredPollTest$Altering")
  @Idempotent(id = "key")
  @interface Altered {

    @AliasFor(annotation = KafkaListener.class)
    String batch() default "";
  }

  @KafkaApplication
  static class Billing {

    @Bean
    static RecordInterceptor<Object, Object> interceptor() {
      return new HookedInterceptors.OfRecords((method, consumer) -> {
        if (method.equals("setupThreadState") && FAILS.compareAndSet(true, false)) {
          throw new IllegalStateException("fails once");
        }
      });
    }

    @Altered
    void on(String order) {
      EFFECTS.add(order);
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {Billing.class, Retried.class})
  void a_container_whose_interceptor_splits_records_is_stopped_and_commits_nothing(
      Class<?> listener) {
    change = records -> {
      records.replaceAll(
          (partition, all) -> all.stream().flatMap(it -> Stream.of(it, it)).toList());
      return records;
    };
    Broker.send(topic, 0, "a", "order");
    try (ConfigurableApplicationContext app = Broker.start(listener, topic)) {
      MessageListenerContainer container = Broker.container(app, "altered");
      awaitStopped(app);
      assertThat(container.isRunning()).isFalse();

      change = UnaryOperator.identity();
      container.start();
      await().until(() -> Broker.committed("billing", topic, 0) == 1);
      await().until(() -> Broker.problems(app).isEmpty());
    }
    assertThat(EFFECTS).containsExactly("order");
  }

  private void awaitStopped(ConfigurableApplicationContext app) {
    await()
        .untilAsserted(() -> assertThat(Broker.problems(app))
            .extracting(Problem::kind)
            .containsExactly(Kind.RECEIVER_DOWN, Kind.RECEIVER_DOWN, Kind.CONFIGURATION));
    assertThat(Broker.problems(app).get(2).text()).contains("must neither make further records");
    assertThat(Broker.committed("billing", topic, 0)).isZero();
  }

  @ParameterizedTest
  @ValueSource(classes = {Billing.class, Batches.class})
  void a_poll_that_was_turned_round_is_not_read_again_from_its_first_record(Class<?> listener) {
    change = AlteredPollTest::turned;
    FAILS.set(true);
    Broker.sendAtOnce(topic, "a", "b");
    try (ConfigurableApplicationContext app = Broker.start(listener, topic)) {
      awaitStopped(app);
    }
    assertThat(FAILS).isFalse();
    assertThat(EFFECTS).isEmpty();
  }

  private static Map<TopicPartition, List<ConsumerRecord<String, String>>> turned(
      Map<TopicPartition, List<ConsumerRecord<String, String>>> records) {
    records.replaceAll((partition, all) -> all.stream()
        .sorted((one, other) -> Long.compare(other.offset(), one.offset()))
        .toList());
    return records;
  }

  @Test
  void a_skipped_record_of_a_poll_that_was_turned_round_does_not_commit_those_behind_it() {
    change = AlteredPollTest::turned;
    Broker.sendAtOnce(topic, "a", "skipped");
    try (ConfigurableApplicationContext app = Broker.start(Skipping.class, topic)) {
      awaitStopped(app);

      change = UnaryOperator.identity();
      Broker.container(app, "altered").start();
      await().until(() -> Broker.committed("billing", topic, 0) == 2);
    }
    assertThat(EFFECTS).containsExactly("a");
  }

  @Test
  void a_partition_that_a_filter_leaves_empty_loses_no_record_of_another_one() {
    String both = Broker.topic(2);
    change = records -> {
      Map<TopicPartition, List<ConsumerRecord<String, String>>> filtered = new LinkedHashMap<>();
      filtered.put(new TopicPartition(both, 0), List.of());
      filtered.putAll(records);
      return filtered;
    };
    FAILS.set(true); // so that the poll is read again
    Broker.send(both, 1, "k", "keep");
    try (ConfigurableApplicationContext app = Broker.start(Billing.class, both)) {
      await().until(() -> EFFECTS.contains("keep"));
      Broker.send(both, 1, "n", "next");
      await().until(() -> Broker.committed("billing", both, 1) == 2);
    }
    assertThat(FAILS).isFalse();
    assertThat(EFFECTS).containsExactly("keep", "next");
  }

  @KafkaApplication
  static class Batches {

    @Bean
    static BatchInterceptor<Object, Object> interceptor() {
      return new HookedInterceptors.OfBatches((method, consumer) -> {
        if (method.equals("intercept") && FAILS.compareAndSet(true, false)) {
          throw new IllegalStateException("fails once");
        }
      });
    }

    @Altered(batch = "true")
    void on(List<String> orders) {
      EFFECTS.addAll(orders);
    }
  }

  @KafkaApplication
  static class Retried {

    @RetryableTopic(attempts = "2", autoStartDltHandler = "false")
    @Altered
    void on(String order) {
      EFFECTS.add(order);
    }
  }

  static class Skipping extends Retried {

    @Bean
    static RecordInterceptor<Object, Object> interceptor() {
      return (record, consumer) -> "skipped".equals(record.value()) ? null : record;
    }
  }
}
