package io.hapax.spring.rocketmq;

import io.hapax.spring.listener.ListenerDefinition;
import java.time.Duration;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;

/** Settings of a container's consumer that its annotation has no attribute for, or a default. */
record ConsumerTuning(DefaultMQPushConsumer consumer, ListenerDefinition settings) {

  private static final int BATCH_SIZE = 32;
  private static final int MOST_WORKERS = 1_000;
  private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(20);
  private static final Duration MARGIN = Duration.ofSeconds(1);

  /**
   * Lets the messages of a call share a call to the store, in both modes. Lets a shutdown without a
   * drain before it wait for handlers.
   */
  void prepare() {
    if (consumer.getConsumeMessageBatchMaxSize() == 1) {
      consumer.setConsumeMessageBatchMaxSize(BATCH_SIZE);
    }
    consumer.setAwaitTerminationMillisWhenShutdown(Math.max(
        consumer.getAwaitTerminationMillisWhenShutdown(),
        drainTimeout().plus(MARGIN).toMillis()));
  }

  Duration drainTimeout() {
    Duration set = settings.tuning().drainTimeout();
    return set == null ? DRAIN_TIMEOUT : set;
  }

  /**
   * Returns how many listeners may run at once. The client has as many threads: its queue has no
   * bound, so it never starts more than the minimum.
   */
  int workers() {
    return Math.max(1, Math.min(MOST_WORKERS, consumer.getConsumeThreadMin()));
  }
}
