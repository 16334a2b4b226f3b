package io.hapax.rocketmq.grpc;

import io.hapax.IdempotentReceiver;
import io.hapax.Outcome;
import io.hapax.Outcome.Deferred;
import io.hapax.Submission;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.rocketmq.client.apis.message.MessageView;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a message that cannot run now on the thread of its caller, and hands it in again, up to a
 * limit.
 */
final class CallerHold {

  /** However short the limit is, a message gets so long to start. */
  static final Duration TO_START = Duration.ofSeconds(5);

  /** The name that its user knows. */
  private static final Logger LOG = LoggerFactory.getLogger(IdempotentMessageListener.class);

  private static final Duration SHORTEST_WAIT = Duration.ofMillis(10);
  private static final AtomicLong LANES = new AtomicLong();

  private final IdempotentReceiver<MessageView> receiver;
  private final Duration limit;
  private final UnderWay underWay = new UnderWay();

  CallerHold(IdempotentReceiver<MessageView> receiver, Duration limit) {
    this.receiver = receiver;
    this.limit = limit;
  }

  /** Hands the message in until it is settled, or waiting is over; true if it is settled. */
  boolean settles(MessageView message) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (!underWay.isEnding()) {
      Outcome outcome = outcomeOf(message, end);
      if (!(outcome instanceof Deferred deferred)) {
        return true;
      }
      Duration wait = longer(deferred.after(), SHORTEST_WAIT);
      if (wait.toNanos() > end - System.nanoTime()) {
        LOG.debug("{} is given back: {}", ClientMessages.coordinates(message), deferred);
        return false;
      }
      if (underWay.endsWithin(wait)) {
        return false;
      }
    }
    return false;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  /** A handler that runs is waited for as long as it takes: its message must not go elsewhere. */
  private Outcome outcomeOf(MessageView message, long end) throws InterruptedException {
    AtomicReference<Outcome> outcome = new AtomicReference<>();
    String lane = "call-" + LANES.incrementAndGet();
    Submission submission = receiver.submitHere(
        List.of(ClientMessages.incoming(message, lane)), (index, it) -> outcome.set(it));
    underWay.add(submission);
    try {
      submission.awaitOrAbandon(longer(Duration.ofNanos(end - System.nanoTime()), TO_START));
    } finally {
      underWay.remove(submission);
    }
    return Objects.requireNonNull(outcome.get(), "outcome");
  }

  /** Gives up what has not started; nothing is kept any more. */
  void end() {
    underWay.end();
  }
}
