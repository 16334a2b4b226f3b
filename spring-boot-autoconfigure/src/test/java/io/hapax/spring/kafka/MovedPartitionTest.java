package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.spring.Idempotent;
import io.hapax.store.DedupStore;
import io.hapax.store.InMemoryDedupStore;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;

/** Partitions that change their owner, and applications that end, while listeners run. */
class MovedPartitionTest extends EffectsFixture {

  private static volatile CountDownLatch started = new CountDownLatch(1);
  private static volatile CountDownLatch released = new CountDownLatch(1);
  private static volatile InMemoryDedupStore marks = new InMemoryDedupStore();

  @KafkaApplication
  static class Billing {

    @Bean
    DedupStore shared() {
      return marks;
    }

    @KafkaListener(topics = "${orders}", groupId = "billing")
    @Idempotent(id = "key", store = "shared")
    void on(String order) throws InterruptedException {
      EFFECTS.add(order);
      if (order.equals("slow")) {
        started.countDown();
        released.await();
      }
    }
  }

  @BeforeEach
  void reset() {
    started = new CountDownLatch(1);
    released = new CountDownLatch(1);
    marks = new InMemoryDedupStore();
  }

  @Test
  void a_message_takes_effect_once_if_its_partition_moves_while_it_runs() throws Exception {
    Broker.send(topic, 0, "a", "slow");
    Broker.send(topic, 0, "b", "next");
    String shortInterval = "spring.kafka.consumer.properties.max.poll.interval.ms=3000";
    try (ConfigurableApplicationContext first = Broker.start(Billing.class, topic, shortInterval)) {
      started.await();
      try (ConfigurableApplicationContext second =
          Broker.start(Billing.class, topic, shortInterval)) {
        await().atMost(Duration.ofSeconds(30)).until(() -> assigned(second));
        released.countDown();

        await()
            .atMost(Duration.ofSeconds(30))
            .until(() -> Broker.committed("billing", topic, 0) == 2);
        assertThat(EFFECTS).containsExactly("slow", "next");
      }
    }
  }

  @Test
  void what_has_not_started_is_left_when_the_application_ends() throws Exception {
    Broker.send(topic, 0, "a", "slow");
    Broker.send(topic, 0, "b", "next");
    ConfigurableApplicationContext first = Broker.start(Billing.class, topic);
    started.await();
    Thread closing = new Thread(first::close);
    closing.start();
    await().until(() -> !running(first));
    released.countDown();
    closing.join();

    assertThat(EFFECTS).containsExactly("slow");
    assertThat(Broker.committed("billing", topic, 0)).isEqualTo(1);
    try (ConfigurableApplicationContext second = Broker.start(Billing.class, topic)) {
      await().until(() -> Broker.committed("billing", topic, 0) == 2);
      assertThat(EFFECTS).containsExactly("slow", "next");
    }
  }

  private static boolean assigned(ConfigurableApplicationContext app) {
    return app.getBean(KafkaListenerEndpointRegistry.class).getListenerContainers().stream()
        .anyMatch(container -> !container.getAssignedPartitions().isEmpty());
  }

  private static boolean running(ConfigurableApplicationContext app) {
    return app.getBean(KafkaListenerEndpointRegistry.class).getListenerContainers().stream()
        .anyMatch(container -> container.isRunning());
  }
}
