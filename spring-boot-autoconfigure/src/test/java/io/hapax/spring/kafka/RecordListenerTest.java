package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.spring.Idempotent;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.kafka.annotation.KafkaListener;

@Timeout(60)
class RecordListenerTest {

  @KafkaApplication
  static class Billing {

    final List<String> effects = new CopyOnWriteArrayList<>();

    @KafkaListener(topics = "${orders}", groupId = "billing")
    @Idempotent(id = "key")
    void on(String order) {
      effects.add(order);
    }
  }

  @Test
  void a_duplicate_does_not_reach_the_listener() {
    String topic = Broker.topic(1);
    Broker.send(topic, 0, "1", "one");
    Broker.send(topic, 0, "1", "one");
    Broker.send(topic, 0, "2", "two");

    try (ConfigurableApplicationContext app = Broker.start(Billing.class, topic)) {
      await().until(() -> Broker.committed("billing", topic, 0) == 3);

      assertThat(app.getBean(Billing.class).effects).containsExactly("one", "two");
    }
  }
}
