package io.hapax.demo.scene;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The usual poll loop: it polls a record, handles it, and commits its offset. */
final class NaiveKafkaLoop implements EventTopic.Subscription {

  private static final Logger LOG = LoggerFactory.getLogger(NaiveKafkaLoop.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final long BACKOFF_MILLIS = 200;

  private final Map<String, Object> properties;
  private final EventTopic<ConsumerRecord<String, byte[]>> topic;
  private final EventTopic.NaiveHandler handler;
  private final Settled settled;
  private final Thread thread = new Thread(this::run, "naive-loop");
  private volatile boolean closed;

  NaiveKafkaLoop(
      Map<String, Object> properties,
      EventTopic<ConsumerRecord<String, byte[]>> topic,
      EventTopic.NaiveHandler handler,
      Settled settled) {
    this.properties = properties;
    this.topic = topic;
    this.handler = handler;
    this.settled = settled;
  }

  NaiveKafkaLoop start() {
    thread.start();
    return this;
  }

  private void run() {
    try (KafkaConsumer<String, byte[]> consumer = new KafkaConsumer<>(properties)) {
      consumer.subscribe(List.of(topic.name()));
      while (!closed) {
        for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
          handle(consumer, record);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void handle(KafkaConsumer<String, byte[]> consumer, ConsumerRecord<String, byte[]> record)
      throws InterruptedException {
    try {
      handler.handle(topic.event(record));
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      LOG.debug("{} failed and is polled again", record.key(), e);
      TimeUnit.MILLISECONDS.sleep(BACKOFF_MILLIS);
      consumer.seek(new TopicPartition(record.topic(), record.partition()), record.offset());
      return;
    }
    settled.settled(record.topic() + '-' + record.partition() + '@' + record.offset());
    try {
      consumer.commitSync();
    } catch (CommitFailedException | RebalanceInProgressException e) {
      LOG.debug("{} belongs to another member by now", record.key(), e);
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
