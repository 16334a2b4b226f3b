package io.hapax.kafka;

import io.hapax.IdempotentReceiver;
import io.hapax.adapter.PollingLoop;
import java.time.Duration;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupMaxSizeReachedException;
import org.apache.kafka.common.errors.InconsistentGroupProtocolException;
import org.apache.kafka.common.errors.UnreleasedInstanceIdException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Polls a consumer of Kafka. */
abstract class KafkaLoop extends PollingLoop {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaLoop.class);

  KafkaLoop(IdempotentReceiver<?> receiver) {
    super(receiver.clock(), receiver::requireRunning, System::nanoTime);
  }

  @Override
  protected abstract void round();

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
