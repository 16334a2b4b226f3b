package io.hapax.spring.kafka;

import io.hapax.spring.listener.ListenerSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.CommonErrorHandler;

/** Warns at the start of what a listener does not do as it does without Hapax. */
final class ListenerHints {

  private static final Logger LOG = LoggerFactory.getLogger(ListenerHints.class);

  private ListenerHints() {}

  static void replies(DeclaredListener declared) {
    boolean replies =
        declared.methods().stream().anyMatch(method -> method.getReturnType() != void.class);
    if (replies) {
      LOG.warn(
          "{}: a reply is sent before the message is marked done, and Spring does not wait for it."
              + " A reply that the broker refuses is lost, a failed attempt may send another one,"
              + " and a duplicate gets none. If a reply must arrive, return void, send it with a"
              + " KafkaTemplate and wait for the result",
          declared.name());
    }
  }

  static void errorHandler(
      AbstractMessageListenerContainer<?, ?> container, ListenerSettings settings) {
    CommonErrorHandler handler = container.getCommonErrorHandler();
    if (handler != null) {
      LOG.warn(
          "{}: {} has no effect on its messages, because Hapax controls retries: neither its backoff,"
              + " nor its recoverer, nor its not retryable exceptions. Set {}, {}, {} and {}, and"
              + " throw RejectedMessageException for what must not be retried",
          settings.listener(),
          handler.getClass().getSimpleName(),
          settings.property("attempts"),
          settings.property("first-backoff"),
          settings.property("max-backoff"),
          settings.property("dead-letters"));
    }
  }
}
