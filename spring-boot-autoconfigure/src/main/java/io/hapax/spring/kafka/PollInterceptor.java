package io.hapax.spring.kafka;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.BatchInterceptor;

/**
 * Is called by the container around each poll, also around one without records, which no listener
 * sees. It calls the application's interceptor.
 */
final class PollInterceptor implements BatchInterceptor<Object, Object> {

  private static final Duration REST = Duration.ofSeconds(1);

  private static final BatchInterceptor<Object, Object> NONE = (records, consumer) -> records;

  private final BatchInterceptor<Object, Object> next;
  private final PollListener polls;

  PollInterceptor(@Nullable BatchInterceptor<Object, Object> next, PollListener polls) {
    this.next = next == null ? NONE : next;
    this.polls = polls;
  }

  @Override
  public void setupThreadState(Consumer<?, ?> consumer) {
    try {
      next.setupThreadState(consumer);
    } catch (RuntimeException e) {
      LockSupport.parkNanos(REST.toNanos()); // the container tries it again at once
      throw e;
    }
    polls.beforePoll();
  }

  @Override
  public @Nullable ConsumerRecords<Object, Object> intercept(
      ConsumerRecords<Object, Object> records, Consumer<Object, Object> consumer) {
    return next.intercept(records, consumer);
  }

  @Override
  public void success(ConsumerRecords<Object, Object> records, Consumer<Object, Object> consumer) {
    next.success(records, consumer);
  }

  @Override
  public void failure(
      ConsumerRecords<Object, Object> records,
      Exception exception,
      Consumer<Object, Object> consumer) {
    next.failure(records, exception, consumer);
  }

  @Override
  public void clearThreadState(Consumer<?, ?> consumer) {
    polls.afterPoll();
    next.clearThreadState(consumer);
  }
}
