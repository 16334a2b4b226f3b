package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.health.Problem;
import io.hapax.health.Problem.Kind;
import io.hapax.spring.Idempotent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.MessageListenerContainer;

/** An interceptor of the consumer returns a poll whose offsets are not those of its records. */
class AlteredPollTest extends EffectsFixture {

  private static volatile boolean splits;

  /** Makes two records of one. */
  public static final class Splitting implements ConsumerInterceptor<String, String> {

    @Override
    @SuppressWarnings("deprecation") // kafka-clients 3.9 has no other constructor
    public ConsumerRecords<String, String> onConsume(ConsumerRecords<String, String> polled) {
      if (!splits) {
        return polled;
      }
      Map<TopicPartition, List<ConsumerRecord<String, String>>> records = new HashMap<>();
      for (TopicPartition each : polled.partitions()) {
        records.put(
            each, polled.records(each).stream().flatMap(it -> Stream.of(it, it)).toList());
      }
      return new ConsumerRecords<>(records);
    }

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

    @Override
    public void close() {}

    @Override
    public void configure(Map<String, ?> configs) {}
  }

  @KafkaApplication
  static class Billing {

    @KafkaListener(
        id = "split",
        topics = "${orders}",
        groupId = "billing",
        concurrency = "2",
        properties = "interceptor.classes=io.hapax.spring.kafka.AlteredPollTest$Splitting")
    @Idempotent(id = "key")
    void on(String order) {
      EFFECTS.add(order);
    }
  }

  @Test
  void a_container_whose_interceptor_splits_records_is_stopped_and_commits_nothing() {
    splits = true;
    Broker.send(topic, 0, "a", "order");
    try (ConfigurableApplicationContext app = Broker.start(Billing.class, topic)) {
      MessageListenerContainer container = Broker.container(app, "split");
      await().until(() -> !container.isRunning() && !container.isChildRunning());
      assertThat(Broker.problems(app))
          .extracting(Problem::kind)
          .containsExactly(Kind.RECEIVER_DOWN, Kind.RECEIVER_DOWN, Kind.CONFIGURATION);
      assertThat(Broker.problems(app).get(2).text())
          .contains(topic + "-0", "must not make further records");
      assertThat(Broker.committed("billing", topic, 0)).isZero();

      splits = false;
      container.start();
      await().until(() -> Broker.committed("billing", topic, 0) == 1);
      assertThat(Broker.problems(app)).isEmpty();
    }
    assertThat(EFFECTS).containsExactly("order");
  }
}
