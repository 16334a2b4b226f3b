package io.hapax.spring.kafka;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.BatchInterceptor;
import org.springframework.kafka.listener.CompositeBatchInterceptor;

/**
 * Is called by the container around each poll, also around one without records, which no listener
 * sees. It calls the application's interceptor.
 */
final class PollInterceptor extends CompositeBatchInterceptor<Object, Object> {

  private static final Duration REST = Duration.ofSeconds(1);

  private static final BatchInterceptor<Object, Object> NONE = (records, consumer) -> records;

  private final PollListener polls;

  PollInterceptor(@Nullable BatchInterceptor<Object, Object> next, PollListener polls) {
    super(next == null ? NONE : next);
    this.polls = polls;
  }

  @Override
  public void setupThreadState(Consumer<?, ?> consumer) {
    try {
      super.setupThreadState(consumer);
    } catch (RuntimeException e) {
      LockSupport.parkNanos(REST.toNanos()); // the container tries it again at once
      throw e;
    }
    polls.beforePoll();
  }

  @Override
  public void clearThreadState(Consumer<?, ?> consumer) {
    polls.afterPoll();
    super.clearThreadState(consumer);
  }
}
