package io.hapax.kafka;

import io.hapax.IdempotentReceiver;
import io.hapax.adapter.PollingLoop;
import io.hapax.health.Problem;
import io.hapax.health.Problems;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupMaxSizeReachedException;
import org.apache.kafka.common.errors.InconsistentGroupProtocolException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnreleasedInstanceIdException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Polls a consumer of Kafka. */
abstract class KafkaLoop extends PollingLoop {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaLoop.class);

  private @Nullable String pollProblem;

  KafkaLoop(Object source, Duration drainTimeout, IdempotentReceiver<?> receiver) {
    super(
        source,
        drainTimeout,
        receiver.port().clock(),
        receiver.port()::requireRunning,
        System::nanoTime);
  }

  @Override
  protected abstract void round();

  /** An error that passes by itself is a problem until a poll succeeds. */
  final <R> Optional<R> polled(Supplier<R> poll) {
    try {
      R result = poll.get();
      pollProblem = null;
      return Optional.of(result);
    } catch (RetriableException e) {
      LOG.warn("A poll of {} failed and is tried again", source, e);
      pollProblem = "the last poll failed: " + e;
      LockSupport.parkNanos(IDLE.toNanos());
      return Optional.empty();
    }
  }

  final void found(Stream<Problems.Found> found) {
    Stream<Problems.Found> ofPoll = Optional.ofNullable(pollProblem).stream()
        .map(text -> new Problems.Found(Problem.Kind.BROKER, "", text));
    problems.replaceAll(Stream.concat(found, ofPoll).toList());
  }

  /**
   * Missing rights, wrong credentials, or a group that is being upgraded. Neither Kafka protocol
   * promises that the consumer recovers by itself.
   */
  @Override
  protected final boolean isReplacedAfter(Throwable death) {
    return death instanceof AuthorizationException
        || death instanceof AuthenticationException
        || death instanceof GroupMaxSizeReachedException
        || death instanceof InconsistentGroupProtocolException
        || death instanceof UnreleasedInstanceIdException;
  }

  @SuppressWarnings("deprecation") // what replaces it is missing in kafka-clients before 4.1
  static void close(Consumer<?, ?> consumer, Duration atMost) {
    try {
      consumer.close(atMost);
    } catch (RuntimeException e) {
      LOG.error("A consumer did not close well", e);
    }
  }
}
