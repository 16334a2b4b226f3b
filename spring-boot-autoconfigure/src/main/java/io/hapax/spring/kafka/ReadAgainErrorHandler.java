package io.hapax.spring.kafka;

import java.time.Duration;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordDeserializationException;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;

/** Reads a poll again that failed outside the listener: another handler would commit it. */
final class ReadAgainErrorHandler implements CommonErrorHandler {

  private static final Duration UNREAD = Duration.ofSeconds(1);

  private final CommonErrorHandler ofPolls;
  private final ListenerProblems problems;
  private final PollListener polls;

  ReadAgainErrorHandler(
      @Nullable CommonErrorHandler given, ListenerProblems problems, PollListener polls) {
    this.ofPolls = given == null ? new DefaultErrorHandler() : given;
    this.problems = problems;
    this.polls = polls;
  }

  @Override
  public void handleOtherException(
      Exception thrown,
      Consumer<?, ?> consumer,
      MessageListenerContainer container,
      boolean batch) {
    if (thrown instanceof RecordDeserializationException unread) {
      TopicPartition partition = unread.topicPartition();
      if (unread.getCause() instanceof KeptBytesDeserializer.ReadAgainException momentary) {
        // The application's handler might skip the record.
        logger().error(momentary, () -> partition + "@" + unread.offset() + " is read again");
        problems.unreadable(
            partition,
            "offset " + unread.offset() + " could not be deserialized"
                + " for want of memory and is read again");
        polls.of(consumer).rest(partition, UNREAD);
        return;
      }
      problems.unreadable(
          partition,
          "offset " + unread.offset() + " cannot be deserialized:"
              + " configure the deserializer by a property and not as an object of the consumer"
              + " factory, so that such a record can be dead-lettered");
    }
    ofPolls.handleOtherException(thrown, consumer, container, batch);
  }

  @Override
  public void handleBatch(
      Exception thrown,
      ConsumerRecords<?, ?> records,
      Consumer<?, ?> consumer,
      MessageListenerContainer container,
      Runnable invokeListener) {
    logger().error(thrown, "A poll failed outside its listener and is read again");
    polls.of(consumer).startOver(records);
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
