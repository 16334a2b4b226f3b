package io.hapax.spring.kafka;

import io.hapax.spring.Idempotent;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.springframework.kafka.annotation.KafkaListener;

/** A topic of its own for each test, and listeners that note their effects. */
@Timeout(60)
abstract class EffectsFixture {

  static final List<String> EFFECTS = new CopyOnWriteArrayList<>();

  final String topic = Broker.topic(1);

  /** A listener as most applications have it. */
  static class Plain {

    @KafkaListener(topics = "${orders}", groupId = "billing")
    @Idempotent(id = "key")
    void on(String order) {
      EFFECTS.add(order);
    }
  }

  @BeforeEach
  void forgetEffects() {
    EFFECTS.clear();
  }
}
