package io.hapax.spring.kafka;

import io.hapax.kafka.internal.AlteredPollException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.kafka.event.ConsumerStartedEvent;
import org.springframework.kafka.event.ConsumerStartingEvent;
import org.springframework.kafka.event.ConsumerStoppedEvent;
import org.springframework.kafka.event.KafkaEvent;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * Knows the container of each consumer's thread. A pause by way of the container around it would
 * take a lock that a stopping thread holds, and could meet another consumer's container.
 */
final class StartedConsumers implements ApplicationEventPublisher {

  private static final Logger LOG = LoggerFactory.getLogger(StartedConsumers.class);

  private final AbstractMessageListenerContainer<?, ?> outer;
  private final ListenerProblems problems;
  private final @Nullable ApplicationEventPublisher next;

  @SuppressWarnings("ThreadLocalUsage") // each container has its own
  private final ThreadLocal<MessageListenerContainer> own = new ThreadLocal<>();

  private StartedConsumers(
      AbstractMessageListenerContainer<?, ?> outer, ListenerProblems problems) {
    this.outer = outer;
    this.problems = problems;
    this.next = outer.getApplicationEventPublisher();
  }

  static StartedConsumers of(
      AbstractMessageListenerContainer<?, ?> container, ListenerProblems problems) {
    StartedConsumers consumers = new StartedConsumers(container, problems);
    container.setApplicationEventPublisher(consumers);
    return consumers;
  }

  MessageListenerContainer ofThisThread() {
    MessageListenerContainer found = own.get();
    return found == null ? outer : found;
  }

  /** Stops the consumer of this thread and those beside it at once, without a seek. */
  void stop(AlteredPollException because) {
    LOG.error("The container is stopped", because);
    MessageListenerContainer mine = ofThisThread();
    problems.misconfigured(mine, because);
    mine.stopAbnormally(() -> {}); // the next poll would pass the records
    if (outer.isRunning()) {
      outer.stopAbnormally(() -> {});
    }
  }

  @Override
  public void publishEvent(Object event) {
    if (event instanceof KafkaEvent ofKafka
        && ofKafka.getSource() instanceof MessageListenerContainer container) {
      watch(ofKafka, container);
    }
    try {
      if (next != null) {
        next.publishEvent(event);
      }
    } catch (RuntimeException e) {
      // The container publishes some events between a poll and its listener: it would not hand
      // over the records, and the commit of the next ones would cover them.
      LOG.error("A listener of {} failed", event, e);
    }
  }

  private void watch(KafkaEvent event, MessageListenerContainer container) {
    String id = String.valueOf(container.getListenerId());
    if (event instanceof ConsumerStartingEvent) {
      problems.starting(id);
    } else if (event instanceof ConsumerStartedEvent) {
      own.set(container);
    } else if (event instanceof ConsumerStoppedEvent stopped) {
      problems.stopped(id, stopped.getReason());
    }
  }
}
