package io.hapax.spring.kafka;

import io.hapax.kafka.internal.RecordPlace;
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
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.listener.RecordInterceptor;
import org.springframework.kafka.support.Acknowledgment;

/** One consumer of a container, and the application's listener, on that consumer's thread. */
final class ContainerThread {

  private static final Logger LOG = LoggerFactory.getLogger(ContainerThread.class);

  private final AbstractMessageListenerContainer<Object, Object> container;
  private final DroppedRecords dropped;
  private final @Nullable RecordInterceptor<Object, Object> interceptor;
  private final Consumer<Object, Object> consumer;
  private final Consumer<Object, Object> forListener;

  /** Whether the application acknowledges by itself. */
  private final boolean manual;

  private @Nullable Failure failure;

  ContainerThread(
      AbstractMessageListenerContainer<Object, Object> container,
      DroppedRecords dropped,
      @Nullable RecordInterceptor<Object, Object> interceptor,
      Consumer<Object, Object> consumer,
      boolean manual) {
    this.container = container;
    this.dropped = dropped;
    this.interceptor = interceptor;
    this.consumer = consumer;
    this.forListener = ListenerConsumer.of(consumer);
    this.manual = manual;
  }

  /** Returns whether the application's acknowledgment mode makes each listener acknowledge. */
  boolean manual() {
    return manual;
  }

  /** Returns whether a filter may remove records from the list that the listener gets. */
  boolean filters(List<ConsumerRecord<Object, Object>> records) {
    return dropped.filters(records);
  }

  /** Returns the records of a poll that the application drops. */
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

  /** Prepares the thread for the interceptor, as a container of records does. */
  void begin() {
    failure = null;
    if (interceptor != null) {
      interceptor.setupThreadState(consumer);
    }
  }

  void end() {
    if (interceptor != null) {
      interceptor.clearThreadState(consumer);
    }
  }

  /** Calls the listener; returns false if the interceptor skips the record. */
  @SuppressWarnings("unchecked") // the container's listener takes its records
  boolean call(ConsumerRecord<Object, Object> record, Acknowledgment acknowledgment) {
    MessageListener<Object, Object> ofRecords =
        (MessageListener<Object, Object>) dropped.listener(List.of(record));
    if (interceptor == null) {
      ofRecords.onMessage(record, acknowledgment, forListener);
      return true;
    }
    return intercepted(
        interceptor, record, it -> ofRecords.onMessage(it, acknowledgment, forListener));
  }

  private boolean intercepted(
      RecordInterceptor<Object, Object> with,
      ConsumerRecord<Object, Object> record,
      java.util.function.Consumer<ConsumerRecord<Object, Object>> call) {
    ConsumerRecord<Object, Object> intercepted = with.intercept(record, consumer);
    if (intercepted == null) {
      return false;
    }
    try {
      call.accept(intercepted);
      notify(() -> with.success(intercepted, consumer));
      return true;
    } catch (RuntimeException e) {
      notify(() -> with.failure(intercepted, e, consumer));
      throw e;
    } finally {
      notify(() -> with.afterRecord(intercepted, consumer));
    }
  }

  private static void notify(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException | Error e) {
      LOG.error("A RecordInterceptor failed after the listener was called", e);
    }
  }

  /** Calls the listener for records; in transactional mode they are of several partitions. */
  @SuppressWarnings("unchecked") // the container's listener takes its records
  void call(List<ConsumerRecord<Object, Object>> records, Acknowledgment acknowledgment) {
    BatchMessageListener<Object, Object> ofBatches =
        (BatchMessageListener<Object, Object>) dropped.listener(records);
    if (ofBatches.wantsPollResult()) {
      ofBatches.onMessage(records(records), acknowledgment, forListener);
    } else {
      ofBatches.onMessage(records, acknowledgment, forListener);
    }
  }

  @SuppressWarnings("deprecation") // kafka-clients 3.9 has no other constructor
  static ConsumerRecords<Object, Object> records(List<ConsumerRecord<Object, Object>> records) {
    return new ConsumerRecords<>(records.stream()
        .collect(Collectors.groupingBy(
            each -> RecordPlace.of(each).partition(), LinkedHashMap::new, Collectors.toList())));
  }

  /** Remembers why a record failed, for its dead letter. */
  Exception failed(ConsumerRecord<Object, Object> record, Exception error) {
    failure = new Failure(RecordPlace.of(record), error);
    return error;
  }

  /** Returns why a record failed last on this thread. */
  @Nullable
  Exception failureOf(ConsumerRecord<Object, Object> record) {
    return failure != null && failure.place().equals(RecordPlace.of(record))
        ? failure.error()
        : null;
  }

  private record Failure(RecordPlace place, Exception error) {}
}
