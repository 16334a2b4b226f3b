package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.spring.Idempotent;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.RetryableTopic;
import org.springframework.kafka.listener.BatchInterceptor;
import org.springframework.kafka.listener.RecordInterceptor;

/** Interceptors that try to commit in each of their methods, in one application. */
@Timeout(60)
class InterceptorTest {

  private static final List<String> EFFECTS = new CopyOnWriteArrayList<>();
  private static final Set<String> TRIED = ConcurrentHashMap.newKeySet();
  private static final Set<Consumer<?, ?>> POLLING = ConcurrentHashMap.newKeySet();

  private static String prefix = "";
  private static ConfigurableApplicationContext app;

  @KafkaApplication
  static class Committing {

    @Bean
    static RecordInterceptor<Object, Object> records() {
      return new HookedInterceptors.OfRecords(
          (method, consumer) -> commit("record " + method, consumer));
    }

    @Bean
    static BatchInterceptor<Object, Object> batches() {
      return new HookedInterceptors.OfBatches(
          (method, consumer) -> commit("batch " + method, consumer));
    }

    @KafkaListener(topics = "${orders}-record", groupId = "billing")
    @Idempotent(id = "key")
    void record(String order) {
      handle("record");
    }

    @KafkaListener(topics = "${orders}-batch", groupId = "billing", batch = "true")
    @Idempotent(id = "key")
    void batch(List<ConsumerRecord<String, String>> orders) {
      handle("batch");
    }

    @RetryableTopic(attempts = "2")
    @KafkaListener(topics = "${orders}-retried", groupId = "billing")
    @Idempotent(id = "key")
    void retried(String order) {
      handle("retried");
    }

    private static void handle(String kind) {
      EFFECTS.add("committed " + Broker.committed("billing", prefix + "-" + kind, 0));
    }
  }

  @BeforeAll
  static void start() {
    prefix = Broker.topic(1);
    List.of("record", "batch", "retried")
        .forEach(kind -> Broker.createTopic(prefix + "-" + kind, 1));
    app = Broker.start(Committing.class, prefix);
  }

  @AfterAll
  static void stop() {
    app.close();
  }

  @BeforeEach
  void forget() {
    EFFECTS.clear();
    TRIED.clear();
  }

  @ParameterizedTest
  @CsvSource({
    "record, record intercept:record success:record afterRecord",
    "batch, batch intercept:batch success:batch setupThreadState",
    "retried, record intercept:record success:record afterRecord:record setupThreadState"
  })
  void an_interceptor_cannot_commit(String kind, String methods) {
    String topic = prefix + "-" + kind;
    Broker.send(topic, 0, "id", "\"order\"");
    await().until(() -> Broker.committed("billing", topic, 0) == 1);
    List<String> tried = List.of(methods.split(":", -1));
    await().until(() -> TRIED.containsAll(tried));

    assertThat(EFFECTS).containsExactly("committed 0");
    assertThat(TRIED)
        .containsAll(tried)
        .noneMatch(it -> it.contains("committed"))
        .noneMatch(it -> it.contains("unknown"));
  }

  private static void commit(String method, Consumer<?, ?> consumer) {
    if (method.endsWith("setupThreadState")) {
      POLLING.add(consumer);
    }
    if (consumer.subscription().stream().anyMatch(it -> it.endsWith("-dlt"))) {
      return; // no listener with @Idempotent reads it
    }
    try {
      consumer.commitSync();
      TRIED.add(method + " committed");
    } catch (IllegalStateException refused) {
      TRIED.add(POLLING.contains(consumer) ? method : method + " of an unknown consumer");
    }
    if (method.endsWith("clearThreadState")) {
      POLLING.remove(consumer);
    }
  }
}
