package io.hapax.spring.kafka;

import io.hapax.Delivery;
import io.hapax.errors.DeferredException;
import io.hapax.errors.PartlyHandledException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.BatchListenerFailedException;
import org.springframework.kafka.listener.ListenerExecutionFailedException;
import org.springframework.kafka.support.KafkaHeaders;

/**
 * Calls the application's listener on the consumer's thread, with the exceptions that Hapax knows.
 * A container sets on each of its threads which listener that is.
 */
final class ListenerCalls {

  /** Causes may form a circle. */
  private static final int MOST_CAUSES = 50;

  private final boolean acknowledges;

  @SuppressWarnings("ThreadLocalUsage") // each container has its own
  private final ThreadLocal<ContainerThread> current = new ThreadLocal<>();

  ListenerCalls(boolean acknowledges) {
    this.acknowledges = acknowledges;
  }

  /** Sets whose listener is called on this thread; null for none. */
  void on(@Nullable ContainerThread thread) {
    if (thread == null) {
      current.remove();
    } else {
      current.set(thread);
    }
  }

  /** Returns the consumer of this thread, as the listener gets it. */
  Consumer<?, ?> consumer() {
    return current.get().forListener();
  }

  void each(Delivery<ConsumerRecord<Object, Object>> delivery) throws Exception {
    ContainerThread thread = current.get();
    requireRunning(thread);
    PolledRecord.requireReadable(delivery.message());
    ConsumerRecord<Object, Object> record = record(delivery, thread);
    ListenerAcknowledgment acknowledgment = ListenerAcknowledgment.ofOne();
    try {
      if (thread.call(record, acknowledgment)) {
        acknowledgment.finish(acknowledges || thread.manual());
      }
    } catch (Exception e) {
      throw thread.failed(delivery.message(), cause(e));
    }
  }

  void batch(List<Delivery<ConsumerRecord<Object, Object>>> deliveries) throws Exception {
    ContainerThread thread = current.get();
    requireRunning(thread);
    List<ConsumerRecord<Object, Object>> records = new ArrayList<>();
    for (Delivery<ConsumerRecord<Object, Object>> each : deliveries) {
      PolledRecord.requireReadable(each.message());
      records.add(record(each, thread));
    }
    PassedBatch batch = PassedBatch.of(records, thread.filters(records));
    ListenerAcknowledgment acknowledgment =
        new ListenerAcknowledgment(records.size(), batch::before);
    try {
      thread.call(batch.passed(), acknowledgment);
      acknowledgment.finish(acknowledges || thread.manual());
    } catch (Exception e) {
      throw partly(batch, acknowledgment, cause(e));
    }
  }

  /**
   * Translates the exception of a batch of which only the first records were handled: those before
   * the one that Spring's exception names, which may be a cause, or those that were acknowledged.
   */
  private static Exception partly(
      PassedBatch batch, ListenerAcknowledgment acknowledgment, Exception thrown) {
    Throwable failed = thrown;
    for (int i = 0; i < MOST_CAUSES && failed != null; i++) {
      if (failed instanceof BatchListenerFailedException at) {
        Throwable cause = failed.getCause() == null ? failed : failed.getCause();
        return new PartlyHandledException(batch.before(at), cause);
      }
      failed = failed.getCause();
    }
    return acknowledgment.failed(thrown);
  }

  /** While the container stops, nothing more is started. */
  private static void requireRunning(ContainerThread thread) {
    if (!thread.container().isRunning()) {
      throw new DeferredException(Duration.ZERO, "the listener's container stops");
    }
  }

  private static ConsumerRecord<Object, Object> record(
      Delivery<ConsumerRecord<Object, Object>> delivery, ContainerThread thread) {
    ConsumerRecord<Object, Object> plain = PolledRecord.plain(delivery.message());
    if (thread.container().getContainerProperties().isDeliveryAttemptHeader()) {
      plain.headers().remove(KafkaHeaders.DELIVERY_ATTEMPT);
      plain
          .headers()
          .add(
              KafkaHeaders.DELIVERY_ATTEMPT,
              ByteBuffer.allocate(Integer.BYTES).putInt(delivery.attempt()).array());
    }
    return plain;
  }

  /** Returns what the application threw, without what Spring wraps around it. */
  private static Exception cause(Exception thrown) {
    Throwable cause = thrown;
    while (cause instanceof ListenerExecutionFailedException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof Error error) {
      throw error;
    }
    return (Exception) cause;
  }
}
