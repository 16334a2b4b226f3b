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

/** Holds the example of docs/kafka.md for an existing poll loop, between the two comments. */
final class KafkaPageOwnLoop {

  private final Queue<String> charged = new ConcurrentLinkedQueue<>();
  private volatile boolean running = true;

  void run(
      Consumer<String, String> consumer, Map<String, Object> consumerProperties, DedupStore store)
      throws InterruptedException {
    // example: begin
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
    // example: end
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
