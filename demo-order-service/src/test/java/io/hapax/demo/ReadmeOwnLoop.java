package io.hapax.demo;

import io.hapax.IdempotentReceiver;
import io.hapax.kafka.KafkaBatchProcessor;
import io.hapax.kafka.KafkaFingerprints;
import io.hapax.kafka.KafkaIds;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** The README's example around a poll loop that is there already. */
final class ReadmeOwnLoop {

  private final Queue<String> charged = new ConcurrentLinkedQueue<>();
  private volatile boolean running = true;

  void run(
      Consumer<String, String> consumer, Map<String, Object> consumerProperties, DedupStore store)
      throws InterruptedException {
    // README: begin
    try (var billing = IdempotentReceiver.<ConsumerRecord<String, String>>builder("billing")
        .id(KafkaIds.header("order-id"))
        .fingerprint(KafkaFingerprints.value())
        .leased(
            store,
            delivery -> charge(delivery.idempotencyKey(), delivery.message().value()))) {
      var patience = Duration.ofMinutes(1); // what has not started by then is deferred
      var processor = KafkaBatchProcessor.of(billing, consumerProperties, patience);
      consumer.subscribe(List.of("orders"), new ConsumerRebalanceListener() {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {}

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
          processor.forget(partitions);
        }
      });
      while (running) {
        processor.resumeDue(consumer);
        var records = consumer.poll(Duration.ofMillis(500));
        processor.process(records).applyTo(consumer);
      }
    }
    // README: end
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
