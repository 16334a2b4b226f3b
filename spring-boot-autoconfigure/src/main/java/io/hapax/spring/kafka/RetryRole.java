package io.hapax.spring.kafka;

import java.util.Objects;
import java.util.Set;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.retrytopic.DestinationTopicContainer;

/** What a container does for {@code @RetryableTopic}. */
enum RetryRole {
  /** Nothing: its listener has no retry topics. */
  NONE,
  /** It reads the first topic or a retry topic. */
  RETRIED,
  /** It reads the topic of messages that are not retried any more. */
  DEAD_LETTERS;

  static RetryRole of(ListableBeanFactory beans, AbstractMessageListenerContainer<?, ?> container) {
    Set<String> topics = ListenerSubscription.topics(container.getContainerProperties());
    DestinationTopicContainer destinations =
        beans.getBeanProvider(DestinationTopicContainer.class).getIfAvailable();
    if (destinations == null || topics.isEmpty()) {
      return NONE;
    }
    try {
      return destinations
              .getDestinationTopicByName(
                  mainListener(container), topics.iterator().next())
              .isDltTopic()
          ? DEAD_LETTERS
          : RETRIED;
    } catch (IllegalArgumentException | NullPointerException unknown) { // it has no retry topics
      return NONE;
    }
  }

  private static String mainListener(AbstractMessageListenerContainer<?, ?> container) {
    String main = container.getMainListenerId();
    return main == null ? Objects.requireNonNull(container.getListenerId()) : main;
  }
}
