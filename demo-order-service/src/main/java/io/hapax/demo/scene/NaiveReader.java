package io.hapax.demo.scene;

import io.hapax.demo.BrokerException;
import io.hapax.demo.KafkaOrders;
import io.hapax.demo.OrderChannel;
import io.hapax.demo.RocketMqOrders;
import io.hapax.mark.Bytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.message.MessageExt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a channel without Hapax, in the most common way: it handles a batch and acknowledges it
 * afterwards. This is at least once: a producer's duplicate, a crash with a batch in flight and a
 * replay all repeat effects.
 */
public final class NaiveReader implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(NaiveReader.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final long BACKOFF_MILLIS = 200;
  private static final int SHUTDOWN_MILLIS = 20_000;

  private final CompletableFuture<Void> loop;
  private final Runnable end;

  private NaiveReader(CompletableFuture<Void> loop, Runnable end) {
    this.loop = loop;
    this.end = end;
  }

  /** A message, with a name of its place that no other message has. */
  public record Received(String place, Bytes body) {}

  /** Handles batches. RocketMQ's client calls it on several threads. */
  @FunctionalInterface
  public interface Handler {

    /**
     * Handles a batch, and returns an action to run after the acknowledgement. If this method
     * throws, the whole batch is redelivered.
     */
    Runnable handle(List<Received> batch) throws Exception;
  }

  /** Starts to read batches with this number of messages at most. */
  public static NaiveReader start(OrderChannel<?> channel, int atOnce, Handler handler)
      throws BrokerException {
    if (channel instanceof RocketMqOrders rocketMq) {
      return listen(rocketMq, atOnce, handler);
    }
    KafkaOrders kafka = (KafkaOrders) channel;
    AtomicBoolean closed = new AtomicBoolean();
    CompletableFuture<Void> loop = CompletableFuture.runAsync(
        () -> poll(kafka, atOnce, handler, closed), poll -> new Thread(poll, "naive-loop").start());
    return new NaiveReader(loop, () -> {
      closed.set(true);
      loop.exceptionally(failure -> null).join();
    });
  }

  /** Throws an exception if the poll loop of Kafka has failed. RocketMQ's client has none. */
  public void mustRun() throws BrokerException {
    try {
      loop.getNow(null);
    } catch (CompletionException e) {
      throw new BrokerException("the plain loop has ended", e.getCause());
    }
  }

  /** Ends the reading, and waits for running handlers. */
  @Override
  public void close() {
    end.run();
  }

  private static void poll(KafkaOrders channel, int atOnce, Handler handler, AtomicBoolean closed) {
    Map<String, Object> properties = channel.properties();
    properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, atOnce);
    try (KafkaConsumer<String, byte[]> consumer = new KafkaConsumer<>(properties)) {
      consumer.subscribe(List.of(channel.topic()));
      while (!closed.get()) {
        ConsumerRecords<String, byte[]> records = consumer.poll(POLL);
        if (!records.isEmpty()) {
          handle(consumer, records, handler);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      LOG.error("The plain loop has ended", e);
      throw e;
    }
  }

  private static void handle(
      KafkaConsumer<String, byte[]> consumer,
      ConsumerRecords<String, byte[]> records,
      Handler handler)
      throws InterruptedException {
    List<Received> batch = new ArrayList<>();
    records.forEach(it -> batch.add(
        new Received(it.topic() + '-' + it.partition() + '@' + it.offset(), Bytes.of(it.value()))));
    try {
      Runnable acknowledged = handler.handle(batch);
      consumer.commitSync();
      acknowledged.run();
    } catch (InterruptedException e) {
      throw e;
    } catch (CommitFailedException | RebalanceInProgressException e) {
      LOG.debug("{} records belong to another member by now", batch.size(), e);
    } catch (Exception e) {
      LOG.debug("{} records failed and are polled again", batch.size(), e);
      TimeUnit.MILLISECONDS.sleep(BACKOFF_MILLIS);
      for (TopicPartition partition : records.partitions()) {
        consumer.seek(partition, records.records(partition).get(0).offset());
      }
    }
  }

  private static NaiveReader listen(RocketMqOrders channel, int atOnce, Handler handler)
      throws BrokerException {
    try {
      DefaultMQPushConsumer consumer = channel.prepareConsumer();
      consumer.setConsumeMessageBatchMaxSize(atOnce);
      consumer.setAwaitTerminationMillisWhenShutdown(SHUTDOWN_MILLIS);
      consumer.registerMessageListener(
          (MessageListenerConcurrently) (messages, context) -> status(messages, handler));
      consumer.start();
      return new NaiveReader(new CompletableFuture<>(), consumer::shutdown);
    } catch (MQClientException e) {
      throw new BrokerException("the RocketMQ consumer does not start", e);
    }
  }

  private static ConsumeConcurrentlyStatus status(List<MessageExt> messages, Handler handler) {
    List<Received> batch = messages.stream()
        .map(message -> new Received(message.getMsgId(), Bytes.of(message.getBody())))
        .toList();
    try {
      handler.handle(batch).run();
      return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the client shuts down
    } catch (Exception e) {
      LOG.debug("{} messages failed and are redelivered", batch.size(), e);
    }
    return ConsumeConcurrentlyStatus.RECONSUME_LATER;
  }
}
