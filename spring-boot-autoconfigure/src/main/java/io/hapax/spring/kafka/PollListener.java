package io.hapax.spring.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.BatchAcknowledgingConsumerAwareMessageListener;
import org.springframework.kafka.listener.BatchInterceptor;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.CompositeBatchInterceptor;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.listener.GenericMessageListener;
import org.springframework.kafka.support.Acknowledgment;

/**
 * Takes whole polls from a container, so that one call to the store claims their messages. It is no
 * {@code DelegatingMessageListener}, because a container would ask its delegate whether it answers
 * asynchronously.
 */
final class PollListener extends SeekForwarding
    implements BatchAcknowledgingConsumerAwareMessageListener<Object, Object> {

  private static final Duration REST = Duration.ofSeconds(1);

  private final Function<Consumer<Object, Object>, ConsumerPolls> starter;

  @SuppressWarnings("ThreadLocalUsage") // each container has its own
  private final ThreadLocal<ConsumerPolls> polls = new ThreadLocal<>();

  PollListener(
      GenericMessageListener<?> listener,
      Function<Consumer<Object, Object>, ConsumerPolls> starter) {
    super(listener);
    this.starter = starter;
  }

  @Override
  public boolean wantsPollResult() {
    return true;
  }

  /** Throws no exception of a message: the error handler would commit what has not happened. */
  @Override
  public void onMessage(
      ConsumerRecords<Object, Object> records,
      @Nullable Acknowledgment acknowledgment,
      Consumer<Object, Object> consumer) {
    if (acknowledgment == null) {
      throw new IllegalStateException("the AckMode of the container was changed after Hapax set it"
          + " to MANUAL: the container would commit messages that are not done");
    }
    of(consumer).handle(records);
  }

  /** Returns the polls of a consumer of this thread. */
  @SuppressWarnings("unchecked") // the container hands over its consumer
  ConsumerPolls of(Consumer<?, ?> consumer) {
    ConsumerPolls mine = polls.get();
    if (mine == null || !mine.isOf(consumer)) {
      mine = starter.apply((Consumer<Object, Object>) consumer);
      polls.set(mine);
    }
    return mine;
  }

  /** Takes the place of the container's listener, with the settings that it needs. */
  void replaceListener(
      AbstractMessageListenerContainer<Object, Object> container, ListenerProblems problems) {
    ContainerProperties properties = container.getContainerProperties();
    properties.setAckMode(AckMode.MANUAL);
    properties.setAsyncAcks(false);
    properties.setSubBatchPerPartition(false);
    properties.setAdviceChain(); // the listener has it already; the polls must not have it, too
    container.setCommonErrorHandler(
        new ReadAgainErrorHandler(container.getCommonErrorHandler(), problems, this));
    // A record listener's batch interceptor did not see its polls before.
    BatchInterceptor<Object, Object> given =
        properties.getMessageListener() instanceof BatchMessageListener
            ? ContainerInternals.batchInterceptor(container)
            : null;
    container.setBatchInterceptor(new Around(given == null ? (polled, by) -> polled : given));
    container.setupMessageListener(this);
  }

  /** Is called around each poll, also around one without records, which no listener sees. */
  private final class Around extends CompositeBatchInterceptor<Object, Object> {

    Around(BatchInterceptor<Object, Object> next) {
      super(next);
    }

    @Override
    public void setupThreadState(Consumer<?, ?> consumer) {
      try {
        super.setupThreadState(consumer);
      } catch (RuntimeException e) {
        LockSupport.parkNanos(REST.toNanos()); // the container tries it again at once
        throw e;
      }
      ofThisThread().ifPresent(ConsumerPolls::beforePoll);
    }

    @Override
    public void clearThreadState(Consumer<?, ?> consumer) {
      ofThisThread().ifPresent(ConsumerPolls::afterPoll);
      super.clearThreadState(consumer);
    }
  }

  private Optional<ConsumerPolls> ofThisThread() {
    return Optional.ofNullable(polls.get());
  }

  @Override
  public void onMessage(
      List<ConsumerRecord<Object, Object>> records,
      @Nullable Acknowledgment acknowledgment,
      Consumer<?, ?> consumer) {
    throw new IllegalStateException("the container must hand over whole polls");
  }

  @Override
  void forget(Collection<TopicPartition> partitions) {
    ofThisThread().ifPresent(it -> it.forget(partitions));
  }
}
