package io.hapax.rocketmq.grpc;

import io.hapax.LeaseSettings;
import io.hapax.setting.Durations;
import java.time.Duration;

/**
 * How long the proxy hides a message from others.
 *
 * @param invisible for how long a message is received, and renewed
 * @param shortest the shortest time for which one may be hidden
 */
record Visibility(Duration invisible, Duration shortest) {

  /** RocketMQ's own limits. */
  static final Duration SHORTEST = Duration.ofSeconds(10);

  static final Duration LONGEST = Duration.ofHours(12);

  private static final int RENEWALS = 3;
  private static final int CHECKS = 4;

  Visibility {
    Durations.positive("shortestInvisible", shortest);
    if (invisible.compareTo(shortest) < 0 || invisible.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("invisibleDuration is " + invisible
          + " but must be from shortestInvisible, which is " + shortest + ", to " + LONGEST);
    }
  }

  /** As long as the lease, as far as the limits let it. */
  static Visibility of(LeaseSettings lease, Duration shortest) {
    Duration atLeast = lease.lease().compareTo(shortest) < 0 ? shortest : lease.lease();
    return new Visibility(atLeast, shortest);
  }

  /** Refuses what would give the message of a dead consumer to the next while its lease lives. */
  Visibility notBelow(LeaseSettings lease) {
    if (invisible.compareTo(lease.lease()) < 0) {
      throw new IllegalArgumentException("invisibleDuration is " + invisible
          + " but must not be less than the receiver's lease " + lease.lease()
          + ": a dead consumer's message would be redelivered while it is still busy, and each time"
          + " uses one of the broker's deliveries");
    }
    return this;
  }

  /** What the proxy takes for a message that has to wait so long. */
  Duration hidden(Duration wait) {
    if (wait.compareTo(shortest) < 0) {
      return shortest;
    }
    return wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
  }

  Duration renewedAfter() {
    return invisible.dividedBy(RENEWALS);
  }

  /** Returns the time between two checks for deliveries that have to be renewed. */
  Duration checkInterval() {
    return renewedAfter().dividedBy(CHECKS);
  }
}
