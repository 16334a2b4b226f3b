package io.hapax.demo;

import io.hapax.IdempotentReceiver;
import io.hapax.kafka.KafkaBatchProcessor;
import io.hapax.kafka.KafkaFingerprints;
import io.hapax.kafka.KafkaIds;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The README's example around a poll loop that is there already. */
final class ReadmeOwnLoop {

  private final Queue<String> charged = new ConcurrentLinkedQueue<>();
  private volatile boolean running = true;

  void run(
      Consumer<String, String> consumer, Map<String, Object> consumerProperties, DedupStore store)
      throws InterruptedException {
    // README: begin
    var billing = IdempotentReceiver.<ConsumerRecord<String, String>>builder("billing")
        .id(KafkaIds.header("order-id"))
        .fingerprint(KafkaFingerprints.value())
        .leased(
            store,
            delivery -> charge(delivery.idempotencyKey(), delivery.message().value()));
    var processor = KafkaBatchProcessor.of(billing, consumerProperties, Duration.ofMinutes(1));
    consumer.subscribe(List.of("orders"));
    while (running) {
      processor.resumeDue(consumer);
      var records = consumer.poll(Duration.ofMillis(500));
      processor.process(records).applyTo(consumer);
    }
    // README: end
    billing.close();
  }

  private void charge(String idempotencyKey, String order) {
    charged.add(idempotencyKey + ' ' + order);
  }

  List<String> charged() {
    return List.copyOf(charged);
  }

  void stop() {
    running = false;
  }
}
