package io.hapax.rocketmq.grpc;

import io.hapax.health.Problem;
import io.hapax.health.Problems;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.rocketmq.client.apis.message.MessageView;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports messages whose last deliveries are near. Each delivery that is not acknowledged counts,
 * and after the last one the proxy moves the message to the dead-letter topic of the group, whether
 * it ran or not.
 */
final class BrokerAttempts {

  /** RocketMQ's own {@code retryMaxTimes}. */
  static final int DEFAULT = 16;

  /** A message is reported from this many deliveries before the last one. */
  private static final int NEAR = 3;

  /** How long a message counts that is not delivered here again: another consumer may have it. */
  private static final long REMEMBERED_NANOS = Duration.ofMinutes(10).toNanos();

  private static final int MOST = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(BrokerAttempts.class);

  private final int allowed;
  private final Problems problems;

  /** When each message whose last deliveries are near was seen last. */
  private final Map<String, Long> near = new ConcurrentHashMap<>();

  private BrokerAttempts(int allowed, Problems problems) {
    this.allowed = allowed;
    this.problems = problems;
  }

  /** Creates the limit of a group: the first delivery is no retry. */
  static BrokerAttempts of(int retryMaxTimes, Problems problems) {
    return new BrokerAttempts(retryMaxTimes + 1, problems);
  }

  /** Refuses a group whose broker ends a message before the receiver does. */
  static int atLeast(int maxAttempts, int retryMaxTimes) {
    if (retryMaxTimes < maxAttempts) {
      throw new IllegalArgumentException("retryMaxTimes is " + retryMaxTimes
          + " but must be at least the receiver's maxAttempts " + maxAttempts
          + ", or the broker dead-letters a message before the receiver does");
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
        "Message {} is delivered for the {}th time; after the {}th the broker moves it to the"
            + " group's dead-letter topic. Raise the group's retryMaxTimes",
        name,
        attempt,
        allowed);
    if (near.size() < MOST) {
      near.put(name, System.nanoTime());
      problems.raise(
          Problem.Kind.CONFIGURATION,
          name,
          "message " + name + " was delivered " + attempt + " times; after " + allowed
              + " the broker moves it to the group's dead-letter topic: raise the group's retryMaxTimes");
    }
  }

  void acknowledged(MessageView message) {
    if (!near.isEmpty()) {
      forget(ClientMessages.coordinates(message));
    }
  }

  /** Forgets messages that were not seen again for a while: another consumer may have them. */
  void forgetOld() {
    long now = System.nanoTime();
    near.forEach((name, seen) -> {
      if (now - seen > REMEMBERED_NANOS) {
        forget(name);
      }
    });
  }

  private void forget(String name) {
    if (near.remove(name) != null) {
      problems.clear(Problem.Kind.CONFIGURATION, name);
    }
  }
}
