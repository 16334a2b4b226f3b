package io.hapax.kafka;

import io.hapax.adapter.PollingLoop;
import io.hapax.health.Problem;
import io.hapax.health.Problems;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
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

  KafkaLoop(InstantSource clock) {
    super(clock, System::nanoTime);
  }

  @Override
  protected abstract void round();

  /**
   * Missing rights, wrong credentials, or a group that is being upgraded. Neither Kafka protocol
   * promises that the consumer recovers by itself.
   */
  @Override
  protected final boolean isReplacedAfter(RuntimeException death) {
    return death instanceof AuthorizationException
        || death instanceof AuthenticationException
        || death instanceof GroupMaxSizeReachedException
        || death instanceof InconsistentGroupProtocolException
        || death instanceof UnreleasedInstanceIdException;
  }

  final void pollFailed(Object topics, RetriableException e) {
    LOG.warn("A poll of {} failed and is tried again", topics, e);
    pollProblem = "the last poll failed: " + e;
  }

  final void pollSucceeded() {
    pollProblem = null;
  }

  final Optional<Problems.Found> pollProblem() {
    return Optional.ofNullable(pollProblem)
        .map(text -> new Problems.Found(Problem.Kind.BROKER, "", text));
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
