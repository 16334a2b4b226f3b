package io.hapax.spring.kafka;

import io.hapax.Delivery;
import io.hapax.errors.DeferredException;
import io.hapax.errors.PartlyHandledException;
import io.hapax.kafka.internal.RecordPlace;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.BatchListenerFailedException;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.ListenerExecutionFailedException;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.listener.RecordInterceptor;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.kafka.support.KafkaHeaders;

/** Calls the application's listener on the thread of one consumer of a container. */
final class ContainerThread {

  private static final Logger LOG = LoggerFactory.getLogger(ContainerThread.class);

  /** Causes may form a circle. */
  private static final int MOST_CAUSES = 50;

  private final AbstractMessageListenerContainer<Object, Object> container;
  private final DroppedRecords dropped;
  private final @Nullable RecordInterceptor<Object, Object> interceptor;
  private final Consumer<Object, Object> consumer;
  private final Consumer<Object, Object> forListener;
  private final ThreadLocal<ContainerThread> current;
  private final boolean acknowledges;

  private @Nullable Failure failure;

  ContainerThread(
      AbstractMessageListenerContainer<Object, Object> container,
      DroppedRecords dropped,
      @Nullable RecordInterceptor<Object, Object> interceptor,
      Consumer<Object, Object> consumer,
      boolean acknowledges,
      ThreadLocal<ContainerThread> current) {
    this.container = container;
    this.dropped = dropped;
    this.interceptor = interceptor;
    this.consumer = consumer;
    this.forListener = ListenerConsumer.of(consumer);
    this.acknowledges = acknowledges;
    this.current = current;
  }

  Predicate<ConsumerRecord<Object, Object>> dropped(
      Iterable<ConsumerRecord<Object, Object>> records) {
    return dropped.of(records, consumer);
  }

  AbstractMessageListenerContainer<Object, Object> container() {
    return container;
  }

  Consumer<Object, Object> consumer() {
    return consumer;
  }

  Consumer<Object, Object> forListener() {
    return forListener;
  }

  void begin() {
    failure = null;
    current.set(this);
    if (interceptor != null) {
      interceptor.setupThreadState(consumer);
    }
  }

  void end() {
    current.remove();
    if (interceptor != null) {
      interceptor.clearThreadState(consumer);
    }
  }

  void each(Delivery<ConsumerRecord<Object, Object>> delivery) throws Exception {
    requireRunning();
    ConsumerRecord<Object, Object> record = record(delivery);
    ListenerAcknowledgment acknowledgment = ListenerAcknowledgment.ofOne();
    try {
      if (isCalled(record, acknowledgment)) {
        acknowledgment.finish(acknowledges);
      }
    } catch (Exception e) {
      failure = new Failure(RecordPlace.of(record), cause(e));
      throw failure.error();
    }
  }

  /** Calls the listener for messages; in transactional mode they are of several partitions. */
  @SuppressWarnings("unchecked") // the container's listener takes its records
  void batch(List<Delivery<ConsumerRecord<Object, Object>>> deliveries) throws Exception {
    requireRunning();
    List<ConsumerRecord<Object, Object>> records =
        deliveries.stream().map(this::record).toList();
    PassedBatch batch = PassedBatch.of(records, dropped.filters(records));
    ListenerAcknowledgment acknowledgment =
        new ListenerAcknowledgment(records.size(), batch::before);
    BatchMessageListener<Object, Object> listener =
        (BatchMessageListener<Object, Object>) dropped.listener(records);
    try {
      if (listener.wantsPollResult()) {
        listener.onMessage(records(batch.passed()), acknowledgment, forListener);
      } else {
        listener.onMessage(batch.passed(), acknowledgment, forListener);
      }
      acknowledgment.finish(acknowledges);
    } catch (Exception e) {
      throw partly(batch, acknowledgment, cause(e));
    }
  }

  private void requireRunning() {
    if (!container.isRunning()) {
      throw new DeferredException(Duration.ZERO, "the listener's container stops");
    }
  }

  private ConsumerRecord<Object, Object> record(Delivery<ConsumerRecord<Object, Object>> delivery) {
    PolledRecord.requireReadable(delivery.message());
    ConsumerRecord<Object, Object> plain = PolledRecord.plain(delivery.message());
    if (container.getContainerProperties().isDeliveryAttemptHeader()) {
      plain.headers().remove(KafkaHeaders.DELIVERY_ATTEMPT);
      plain
          .headers()
          .add(
              KafkaHeaders.DELIVERY_ATTEMPT,
              ByteBuffer.allocate(Integer.BYTES).putInt(delivery.attempt()).array());
    }
    return plain;
  }

  /** Calls the listener; returns false if the interceptor skips the record. */
  @SuppressWarnings("unchecked") // the container's listener takes its records
  private boolean isCalled(ConsumerRecord<Object, Object> record, Acknowledgment acknowledgment) {
    MessageListener<Object, Object> listener =
        (MessageListener<Object, Object>) dropped.listener(List.of(record));
    RecordInterceptor<Object, Object> around = interceptor;
    if (around == null) {
      listener.onMessage(record, acknowledgment, forListener);
      return true;
    }
    ConsumerRecord<Object, Object> intercepted = around.intercept(record, consumer);
    if (intercepted == null) {
      return false;
    }
    try {
      listener.onMessage(intercepted, acknowledgment, forListener);
      notify(() -> around.success(intercepted, consumer));
      return true;
    } catch (RuntimeException e) {
      notify(() -> around.failure(intercepted, e, consumer));
      throw e;
    } finally {
      notify(() -> around.afterRecord(intercepted, consumer));
    }
  }

  private static void notify(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException | Error e) {
      LOG.error("A RecordInterceptor failed after the listener was called", e);
    }
  }

  @SuppressWarnings("deprecation") // kafka-clients 3.9 has no other constructor
  static ConsumerRecords<Object, Object> records(List<ConsumerRecord<Object, Object>> records) {
    return new ConsumerRecords<>(records.stream()
        .collect(Collectors.groupingBy(
            each -> RecordPlace.of(each).partition(), LinkedHashMap::new, Collectors.toList())));
  }

  /**
   * Finds how many records were handled: those before the one that the exception or a cause names.
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

  @Nullable
  Exception failureOf(ConsumerRecord<Object, Object> record) {
    return failure != null && failure.place().equals(RecordPlace.of(record))
        ? failure.error()
        : null;
  }

  private record Failure(RecordPlace place, Exception error) {}
}
