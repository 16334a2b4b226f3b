package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.spring.Idempotent;
import io.hapax.spring.listener.Receivers;
import io.hapax.store.DedupStore;
import io.hapax.store.InMemoryDedupStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ContainerCustomizer;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ConsumerSeekAware;

/** Partitions that move, are paused or have transaction markers, and applications that end. */
class PartitionsTest extends EffectsFixture {

  private static final AtomicInteger ASSIGNMENTS = new AtomicInteger();

  private final String wide = Broker.topic(2);
  private final TopicPartition partition = new TopicPartition(wide, 0);
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
    ASSIGNMENTS.set(0);
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
        await().until(() -> assigned(second));
        released.countDown();

        await().until(() -> Broker.committed("billing", topic, 0) == 2);
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

  @KafkaApplication
  static class Pausable implements ConsumerSeekAware {

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

  @Test
  void a_pause_outlasts_the_rest_of_a_busy_message() {
    try (ConfigurableApplicationContext app = Broker.start(Pausable.class, wide)) {
      Broker.claimElsewhere(app, wide, "busy", Duration.ofSeconds(3));
      Broker.send(wide, 0, "busy", "busy");
      await().until(() -> rests(app));
      Broker.container(app, "paused").pausePartition(partition);

      assertPaused("busy");
      Broker.container(app, "paused").resumePartition(partition);
      await().until(() -> Broker.committed("billing", wide, 0) == 1);
      assertThat(EFFECTS).containsExactly("busy");
    }
  }

  @Test
  void a_pause_outlasts_a_rebalance() {
    try (ConfigurableApplicationContext app = Broker.start(Pausable.class, wide)) {
      Broker.send(wide, 1, "first", "first");
      await().until(() -> EFFECTS.contains("first"));
      Broker.container(app, "paused").pausePartition(partition);
      await().until(() -> Broker.container(app, "paused").isPartitionPaused(partition));
      Broker.container(app, "paused").enforceRebalance();
      await().until(() -> ASSIGNMENTS.get() == 2);
      Broker.send(wide, 0, "a", "paused");
      Broker.send(wide, 1, "b", "other");
      await().until(() -> EFFECTS.contains("other"));

      assertPaused("paused");
      Broker.container(app, "paused").resumePartition(partition);
      await().until(() -> Broker.committed("billing", wide, 0) == 1);
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
    return app.getBean(Receivers.class).all().stream()
        .anyMatch(it -> !it.receiver().health().waiting().isEmpty());
  }

  @KafkaApplication
  static class Fixing extends Plain {

    @Bean
    ContainerCustomizer<Object, Object, ConcurrentMessageListenerContainer<Object, Object>>
        fixing() {
      return container -> container.getContainerProperties().setFixTxOffsets(true);
    }
  }

  @Test
  void the_commit_passes_aborted_transactions_and_their_markers() {
    try (KafkaProducer<String, String> producer = producer();
        ConfigurableApplicationContext app = Broker.start(
            Fixing.class, topic, "spring.kafka.consumer.isolation-level=read_committed")) {
      producer.initTransactions();
      send(producer, "first", true);
      await().until(() -> EFFECTS.contains("first"));
      for (int i = 0; i < 5; i++) {
        send(producer, "aborted", false);
      }

      Broker.awaitCommitted(topic, 1);
      send(producer, "last", true);
      Broker.awaitCommitted(topic, 1);
      assertThat(EFFECTS).containsExactly("first", "last");
    }
  }

  private KafkaProducer<String, String> producer() {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", Broker.servers(), "transactional.id", "producer-of-" + topic),
        new StringSerializer(),
        new StringSerializer());
  }

  private void send(KafkaProducer<String, String> producer, String order, boolean commits) {
    producer.beginTransaction();
    var unused = producer.send(new ProducerRecord<>(topic, order, order));
    if (commits) {
      producer.commitTransaction();
    } else {
      producer.flush();
      producer.abortTransaction();
    }
  }
}
