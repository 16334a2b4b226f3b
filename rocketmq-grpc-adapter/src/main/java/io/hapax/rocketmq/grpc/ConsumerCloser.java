package io.hapax.rocketmq.grpc;

import java.io.IOException;
import java.time.Duration;
import org.apache.rocketmq.client.apis.consumer.SimpleConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a consumer, and returns also if its proxy does not answer. The client waits without a
 * limit for all its calls to end, and its session with the proxy is one of them.
 */
final class ConsumerCloser {

  /** Closing takes milliseconds if the proxy answers. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(ConsumerCloser.class);

  private ConsumerCloser() {}

  /** Returns when it is closed, or so long after; it is closed all the same, in a daemon thread. */
  static void of(SimpleConsumer consumer, String threadName) {
    Thread closing = new Thread(() -> close(consumer), threadName);
    closing.setDaemon(true);
    closing.start();
    try {
      closing.join(PATIENCE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (closing.isAlive()) {
      LOG.warn(
          "The consumer of group {} still waits for its proxy. It ends when the proxy answers, or"
              + " when the connection does",
          consumer.getConsumerGroup());
    }
  }

  private static void close(SimpleConsumer consumer) {
    try {
      consumer.close();
    } catch (IOException | RuntimeException e) {
      LOG.warn("The consumer of group {} failed to close", consumer.getConsumerGroup(), e);
    }
  }
}
