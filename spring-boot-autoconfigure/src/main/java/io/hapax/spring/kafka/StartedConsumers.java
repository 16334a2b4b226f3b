package io.hapax.spring.kafka;

import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.kafka.event.ConsumerStartedEvent;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * Knows on each consumer's thread the container of that consumer alone, which a container with
 * several consumers has for each of them. It sees the event that such a container publishes when it
 * starts. A pause by way of the container around it would take a lock that a thread holds which
 * stops it, and could meet another consumer's container after a rebalance.
 */
final class StartedConsumers implements ApplicationEventPublisher {

  private final AbstractMessageListenerContainer<?, ?> outer;
  private final @Nullable ApplicationEventPublisher next;

  @SuppressWarnings("ThreadLocalUsage") // each container has its own
  private final ThreadLocal<MessageListenerContainer> own = new ThreadLocal<>();

  private StartedConsumers(AbstractMessageListenerContainer<?, ?> outer) {
    this.outer = outer;
    this.next = outer.getApplicationEventPublisher();
  }

  /** Watches the consumers that a container starts from now on. */
  static StartedConsumers of(AbstractMessageListenerContainer<?, ?> container) {
    StartedConsumers consumers = new StartedConsumers(container);
    container.setApplicationEventPublisher(consumers);
    return consumers;
  }

  /** Returns the container of this thread's consumer. */
  MessageListenerContainer ofThisThread() {
    MessageListenerContainer found = own.get();
    return found == null ? outer : found;
  }

  @Override
  public void publishEvent(Object event) {
    if (event instanceof ConsumerStartedEvent started
        && started.getSource() instanceof MessageListenerContainer container) {
      own.set(container);
    }
    if (next != null) {
      next.publishEvent(event);
    }
  }
}
