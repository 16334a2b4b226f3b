package io.hapax.bench;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/**
 * A poll loop as a user writes it: polls, handles the records on the same thread, and commits their
 * offsets while it goes on. One commit is under way at a time.
 */
final class BareKafkaLoop implements AutoCloseable {

  private static final Duration WAIT = Duration.ofMillis(100);

  @FunctionalInterface
  interface Handler {
    void handle(ConsumerRecords<byte[], byte[]> records) throws Exception;
  }

  private final KafkaTopic topic;
  private final Map<String, Object> properties;
  private final Handler handler;
  private final FutureTask<Boolean> task = new FutureTask<>(this::run);
  private boolean committing;
  private volatile boolean stopped;

  BareKafkaLoop(KafkaTopic topic, Map<String, Object> properties, Handler handler) {
    this.topic = topic;
    this.properties = properties;
    this.handler = handler;
    new Thread(task, "bench-poll-loop").start();
  }

  private boolean run() throws Exception {
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties)) {
      consumer.subscribe(List.of(topic.name()));
      boolean uncommitted = false;
      while (!stopped) {
        ConsumerRecords<byte[], byte[]> records = consumer.poll(WAIT);
        if (!records.isEmpty()) {
          handler.handle(records);
          uncommitted = true;
        }
        if (uncommitted && !committing) {
          uncommitted = false;
          committing = true;
          consumer.commitAsync((offsets, error) -> committing = false);
        }
      }
    }
    return true;
  }

  /** Ends the loop. Throws what it died of. */
  @Override
  public void close() throws InterruptedException, ExecutionException {
    stopped = true;
    task.get();
  }
}
