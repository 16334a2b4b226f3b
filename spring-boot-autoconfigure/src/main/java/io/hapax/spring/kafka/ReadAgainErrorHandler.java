package io.hapax.spring.kafka;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * Reads a poll again that failed outside the listener, for example in an interceptor. The
 * application's error handler would commit it. That one is still asked about failed polls.
 */
final class ReadAgainErrorHandler implements CommonErrorHandler {

  private final CommonErrorHandler ofPolls;

  ReadAgainErrorHandler(@Nullable CommonErrorHandler given) {
    this.ofPolls = given == null ? new DefaultErrorHandler() : given;
  }

  @Override
  public void handleOtherException(
      Exception thrown,
      Consumer<?, ?> consumer,
      MessageListenerContainer container,
      boolean batch) {
    ofPolls.handleOtherException(thrown, consumer, container, batch);
  }

  @Override
  public <K, V> ConsumerRecords<K, V> handleBatchAndReturnRemaining(
      Exception thrown,
      ConsumerRecords<?, ?> records,
      Consumer<?, ?> consumer,
      MessageListenerContainer container,
      Runnable invokeListener) {
    handleBatch(thrown, records, consumer, container, invokeListener);
    return ConsumerRecords.empty();
  }

  @Override
  public void handleBatch(
      Exception thrown,
      ConsumerRecords<?, ?> records,
      Consumer<?, ?> consumer,
      MessageListenerContainer container,
      Runnable invokeListener) {
    logger().error(thrown, "A poll failed outside its listener and is read again");
    for (TopicPartition partition : records.partitions()) {
      try {
        consumer.seek(partition, records.records(partition).get(0).offset());
      } catch (IllegalStateException notAssigned) {
        logger().info(() -> partition + " was revoked or lost");
      }
    }
  }

  @Override
  public boolean seeksAfterHandling() {
    return true;
  }

  @Override
  public boolean isAckAfterHandle() {
    return false;
  }
}
