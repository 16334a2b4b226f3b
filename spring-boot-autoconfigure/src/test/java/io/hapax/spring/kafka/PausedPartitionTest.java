package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.spring.Idempotent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ConsumerSeekAware;

/** A partition that the application pauses rests until the application resumes it. */
@Timeout(60)
class PausedPartitionTest {

  private static final List<String> EFFECTS = new CopyOnWriteArrayList<>();
  private static final AtomicInteger ASSIGNMENTS = new AtomicInteger();

  private final String topic = Broker.topic(2);
  private final TopicPartition partition = new TopicPartition(topic, 0);

  @KafkaApplication
  static class Billing implements ConsumerSeekAware {

    @KafkaListener(id = "paused", topics = "${orders}", groupId = "billing")
    @Idempotent(id = "key")
    void on(String order) {
      EFFECTS.add(order);
    }

    @Override
    public void onPartitionsAssigned(
        Map<TopicPartition, Long> assignments, ConsumerSeekCallback callback) {
      ASSIGNMENTS.incrementAndGet();
    }
  }

  @BeforeEach
  void forget() {
    EFFECTS.clear();
    ASSIGNMENTS.set(0);
  }

  @Test
  void a_pause_outlasts_the_rest_of_a_busy_message() {
    try (ConfigurableApplicationContext app = Broker.start(Billing.class, topic)) {
      Broker.claimElsewhere(app, topic, "busy", Duration.ofSeconds(3));
      Broker.send(topic, 0, "busy", "busy");
      await().until(() -> rests(app));
      container(app).pausePartition(partition);

      assertPaused("busy");
      container(app).resumePartition(partition);
      await().until(() -> Broker.committed("billing", topic, 0) == 1);
      assertThat(EFFECTS).containsExactly("busy");
    }
  }

  @Test
  void a_pause_outlasts_a_rebalance() {
    try (ConfigurableApplicationContext app = Broker.start(Billing.class, topic)) {
      Broker.send(topic, 1, "first", "first");
      await().until(() -> EFFECTS.contains("first"));
      container(app).pausePartition(partition);
      await().until(() -> container(app).isPartitionPaused(partition));
      container(app).enforceRebalance();
      await().until(() -> ASSIGNMENTS.get() == 2);
      Broker.send(topic, 0, "a", "paused");
      Broker.send(topic, 1, "b", "other");
      await().until(() -> EFFECTS.contains("other"));

      assertPaused("paused");
      container(app).resumePartition(partition);
      await().until(() -> Broker.committed("billing", topic, 0) == 1);
      assertThat(EFFECTS).containsExactly("first", "other", "paused");
    }
  }

  /** Holds for longer than the lease of a busy message. */
  private static void assertPaused(String order) {
    await()
        .during(Duration.ofSeconds(4))
        .atMost(Duration.ofSeconds(9))
        .until(() -> !EFFECTS.contains(order));
  }

  /** Returns whether the consumer has paused the partition. */
  private boolean rests(ConfigurableApplicationContext app) {
    return app.getBean(io.hapax.spring.listener.Receivers.class).all().stream()
        .anyMatch(it -> !it.receiver().health().waiting().isEmpty());
  }

  @SuppressWarnings("unchecked") // Boot makes this container
  private static ConcurrentMessageListenerContainer<Object, Object> container(
      ConfigurableApplicationContext app) {
    return (ConcurrentMessageListenerContainer<Object, Object>)
        app.getBean(KafkaListenerEndpointRegistry.class).getListenerContainer("paused");
  }
}
