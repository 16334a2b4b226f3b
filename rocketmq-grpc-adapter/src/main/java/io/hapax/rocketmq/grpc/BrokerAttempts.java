package io.hapax.rocketmq.grpc;

import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.rocketmq.client.apis.message.MessageView;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which messages come near the end of what their broker allows. Whatever is not acknowledged costs
 * a delivery, and after the last one the proxy moves the message to the group's own dead-letter
 * topic, whether or not it ever ran.
 */
final class BrokerAttempts {

  /** RocketMQ's own {@code retryMaxTimes}. */
  static final int DEFAULT = 16;

  /** So many deliveries before the last one it is time to say so. */
  private static final int NEAR = 3;

  /** For so long a message that was not seen again counts: somebody else may have it. */
  private static final long REMEMBERED_NANOS = Duration.ofMinutes(10).toNanos();

  private static final int MOST = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(BrokerAttempts.class);

  private record Seen(int attempt, long nanos) {}

  private final int allowed;
  private final Map<String, Seen> near = new ConcurrentHashMap<>();

  private BrokerAttempts(int allowed) {
    this.allowed = allowed;
  }

  /** The first delivery is no retry. */
  static BrokerAttempts of(int retryMaxTimes) {
    return new BrokerAttempts(retryMaxTimes + 1);
  }

  /** Refuses a group whose broker gives up before the receiver does. */
  static int atLeast(int maxAttempts, int retryMaxTimes) {
    if (retryMaxTimes < maxAttempts) {
      throw new IllegalArgumentException("retryMaxTimes is " + retryMaxTimes
          + " but must be at least the receiver's maxAttempts " + maxAttempts
          + ", or the broker ends a message before the receiver does");
    }
    return retryMaxTimes;
  }

  void delivered(MessageView message) {
    int attempt = message.getDeliveryAttempt();
    if (attempt <= allowed - NEAR) {
      return;
    }
    String name = ClientMessages.coordinates(message);
    LOG.warn(
        "Message {} is delivered for the {}th time; after the {}th the broker moves it to the dead"
            + " letters of the group. Raise the group's retryMaxTimes",
        name,
        attempt,
        allowed);
    if (near.size() < MOST) {
      near.put(name, new Seen(attempt, System.nanoTime()));
    }
  }

  void acknowledged(MessageView message) {
    if (!near.isEmpty()) {
      near.remove(ClientMessages.coordinates(message));
    }
  }

  Optional<String> trouble() {
    long now = System.nanoTime();
    near.values().removeIf(seen -> now - seen.nanos() > REMEMBERED_NANOS);
    return near.entrySet().stream()
        .max(Map.Entry.comparingByValue(Comparator.comparingInt(Seen::attempt)))
        .map(worst -> "message " + worst.getKey() + " was delivered "
            + worst.getValue().attempt() + " times; after " + allowed
            + " the broker moves it to the dead letters of the group: raise its retryMaxTimes");
  }
}
