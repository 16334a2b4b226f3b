package io.hapax.spring.kafka;

import io.hapax.IdempotentReceiver;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.errors.ReceiverClosedException;
import io.hapax.errors.RejectedMessageException;
import io.hapax.kafka.internal.ReceivedRecord;
import io.hapax.kafka.internal.RecordHandouts;
import io.hapax.kafka.internal.RecordPlace;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.AcknowledgingConsumerAwareMessageListener;
import org.springframework.kafka.listener.ExceptionClassifier;
import org.springframework.kafka.listener.GenericMessageListener;
import org.springframework.kafka.listener.KafkaConsumerBackoffManager;
import org.springframework.kafka.listener.ListenerExecutionFailedException;
import org.springframework.kafka.retrytopic.DestinationTopicContainer;
import org.springframework.kafka.support.Acknowledgment;

/**
 * Takes single records from a container of {@code @RetryableTopic}, which does not hand over whole
 * polls. Spring sends a failed record to the next topic. A deferred one stays where it is, and its
 * partition rests.
 */
final class RetryTopicListener extends SeekForwarding
    implements AcknowledgingConsumerAwareMessageListener<Object, Object> {

  /** Spring ignores a rest that ends before it begins. */
  private static final Duration SHORTEST_REST = Duration.ofMillis(100);

  private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

  private final AbstractMessageListenerContainer<Object, Object> container;
  private final IdempotentReceiver<ConsumerRecord<Object, Object>> receiver;
  private final ThreadLocal<ContainerThread> current;
  private final boolean acknowledges;
  private final KafkaConsumerBackoffManager backoff;
  private final RecordHandouts<Object, Object> handouts;
  private final CarriedIdentity identity;
  private final Duration patience;

  @SuppressWarnings("ThreadLocalUsage") // each container has its own
  private final ThreadLocal<Set<TopicPartition>> proven = ThreadLocal.withInitial(HashSet::new);

  @SuppressWarnings("ThreadLocalUsage") // each container has its own
  private final ThreadLocal<DroppedRecords> dropped;

  RetryTopicListener(
      AbstractMessageListenerContainer<Object, Object> container,
      IdempotentReceiver<ConsumerRecord<Object, Object>> receiver,
      ThreadLocal<ContainerThread> current,
      boolean acknowledges,
      KafkaConsumerBackoffManager backoff,
      RecordHandouts<Object, Object> handouts,
      CarriedIdentity identity,
      Duration patience) {
    super(ContainerInternals.listener(container));
    this.container = container;
    GenericMessageListener<?> listener = ContainerInternals.listener(container);
    DroppedRecords.Passed passed = new DroppedRecords.Passed();
    this.dropped = ThreadLocal.withInitial(
        () -> new DroppedRecords(listener, null, message -> Optional.empty(), passed));
    this.receiver = receiver;
    this.current = current;
    this.acknowledges = acknowledges;
    this.backoff = backoff;
    this.handouts = handouts;
    this.identity = identity;
    this.patience = patience;
  }

  /** Lets Spring send a message that Hapax would dead-letter to the dead letters at once. */
  static void skipRetriesOfFinalFailures(ListableBeanFactory beans) {
    DestinationTopicContainer destinations =
        beans.getBeanProvider(DestinationTopicContainer.class).getIfAvailable();
    if (destinations instanceof ExceptionClassifier classifier) {
      classifier.addNotRetryableExceptions(
          RejectedMessageException.class, FinalFailureException.class);
    }
  }

  @Override
  @SuppressWarnings("unchecked") // the container hands over its consumer
  public void onMessage(
      ConsumerRecord<Object, Object> polled,
      @Nullable Acknowledgment acknowledgment,
      Consumer<?, ?> consumer) {
    // Removes the headers with what was received: they must not be sent to the next topic.
    ConsumerRecord<Object, Object> record = ReceivedRecord.of(polled);
    ContainerThread thread = new ContainerThread(
        container, dropped.get(), null, (Consumer<Object, Object>) consumer, acknowledges, current);
    if (!thread.dropped(List.of(record)).test(record)) {
      receive(record, thread);
    }
    if (acknowledgment != null) {
      acknowledgment.acknowledge();
    }
  }

  private void receive(ConsumerRecord<Object, Object> record, ContainerThread thread) {
    thread.begin();
    try {
      Outcome outcome = received(record, thread.consumer());
      if (outcome instanceof Outcome.Deferred) {
        identity.addTo(record);
      }
      settle(record, outcome, thread);
    } finally {
      thread.end();
    }
  }

  private Outcome received(ConsumerRecord<Object, Object> record, Consumer<?, ?> consumer) {
    RecordPlace place = RecordPlace.of(record);
    TopicPartition partition = place.partition();
    Incoming<ConsumerRecord<Object, Object>> incoming = new Incoming<>(
        handouts.ofCopies(record),
        partition.toString(),
        true,
        place.toString(),
        !proven.get().contains(partition),
        Incoming.sentAt(record.timestamp()));
    Outcome outcome;
    try {
      outcome = receiver.receiveOnCallerThread(List.of(incoming), patience).get(0);
    } catch (InterruptedException e) {
      if (!container.isRunning()) { // otherwise each next poll would fail with it
        Thread.currentThread().interrupt();
      }
      outcome = new Outcome.Deferred(Outcome.Reason.ABANDONED, AFTER_FAILURE, "interrupted");
    } catch (ReceiverClosedException e) {
      outcome = new Outcome.Deferred(Outcome.Reason.ABANDONED, Duration.ZERO, "closed");
    }
    if (outcome instanceof Outcome.Deferred deferred && deferred.reason() != Outcome.Reason.RETRY) {
      rest(partition, deferred.after(), consumer);
    }
    proven.get().add(partition);
    return outcome;
  }

  /** Throws the exception at which the error handler of these containers pauses the partition. */
  private void rest(TopicPartition partition, Duration wait, Consumer<?, ?> consumer) {
    Duration rest = wait.compareTo(SHORTEST_REST) < 0 ? SHORTEST_REST : wait;
    long due = receiver.port().clock().instant().plus(rest).toEpochMilli();
    String id = Objects.requireNonNull(container.getListenerId());
    backoff.backOffIfNecessary(backoff.createContext(due, id, partition, consumer));
    throw new IllegalStateException(
        partition + " had to rest, but the KafkaConsumerBackoffManager let it pass");
  }

  private static void settle(
      ConsumerRecord<Object, Object> record, Outcome outcome, ContainerThread thread) {
    if (outcome instanceof Outcome.Deferred deferred) {
      throw failure(deferred.detail(), thread.failureOf(record));
    } else if (outcome instanceof Outcome.DeadLettered dead) {
      Exception cause = thread.failureOf(record);
      throw failure(
          dead.reason(),
          cause instanceof RejectedMessageException
              ? cause
              : new FinalFailureException(dead.reason(), cause));
    }
  }

  private static RuntimeException failure(String detail, @Nullable Exception cause) {
    return new ListenerExecutionFailedException(
        detail, cause == null ? new IllegalStateException(detail) : cause);
  }

  @Override
  void forget(Collection<TopicPartition> partitions) {
    proven.get().removeAll(partitions);
  }

  /** Why a message is not retried, as without an id, or with another payload of a known id. */
  static final class FinalFailureException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    FinalFailureException(String reason, @Nullable Exception cause) {
      super(reason, cause);
    }
  }
}
