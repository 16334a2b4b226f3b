package io.hapax.spring.rocketmq;

import io.hapax.rocketmq.RocketMqAttachment;
import io.hapax.spring.listener.ListenerSettings;
import io.hapax.spring.listener.RefusedListenerException;
import org.apache.rocketmq.client.Validators;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.spring.annotation.MessageModel;
import org.apache.rocketmq.spring.annotation.RocketMQMessageListener;
import org.apache.rocketmq.spring.support.DefaultRocketMQListenerContainer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Refuses settings of a container that cannot be made safe, and warns of those without effect. */
final class ContainerChecks {

  private static final Logger LOG = LoggerFactory.getLogger(ContainerChecks.class);
  private static final int STANDARD_PAUSE = 1_000;

  /** Attaches a receiver. */
  interface Attaching {
    RocketMqAttachment attach() throws MQClientException;
  }

  private final DefaultRocketMQListenerContainer container;
  private final ListenerBean listener;
  private final ListenerSettings settings;

  ContainerChecks(
      DefaultRocketMQListenerContainer container,
      ListenerBean listener,
      ListenerSettings settings) {
    this.container = container;
    this.listener = listener;
    this.settings = settings;
  }

  /** Refuses what is known before the receiver exists. */
  void refuseUnsafe() {
    listener.refuseAsynchronous();
    if (container.getMessageModel() == MessageModel.BROADCASTING) {
      throw refused(
          "messageModel is BROADCASTING",
          "All instances would share their marks, and the client drops failed messages.",
          "Set messageModel to CLUSTERING, or remove @Idempotent.");
    }
    settings.deadLetterTopic(container.getTopic()).ifPresent(this::refuseUnusable);
  }

  private void refuseUnusable(String topic) {
    try {
      Validators.checkTopic(topic);
    } catch (MQClientException e) {
      RefusedListenerException refused = refused(
          "dead-letters is '" + settings.deadLetters().orElseThrow() + "', which is topic '" + topic
              + "'",
          "That is no name of a RocketMQ topic: " + e.getErrorMessage() + ".",
          "Set hapax.consumers." + settings.consumer() + ".dead-letters to another name.");
      refused.initCause(e);
      throw refused;
    }
  }

  /** Warns of attributes that Hapax does not follow, and of replies. */
  void warn() {
    RocketMQMessageListener annotation = container.getRocketMQMessageListener();
    if (annotation != null
        && (annotation.delayLevelWhenNextConsume() != 0
            || annotation.suspendCurrentQueueTimeMillis() != STANDARD_PAUSE)) {
      LOG.warn(
          "{}: delayLevelWhenNextConsume and suspendCurrentQueueTimeMillis have no effect, because"
              + " Hapax controls retries. Set attempts, first-backoff and max-backoff of"
              + " hapax.consumers.{}",
          listener.name(),
          settings.consumer());
    }
    if (listener.replies()) {
      LOG.warn(
          "{}: a reply is sent at most once for each attempt, before its message is marked done. If"
              + " the reply is lost, the redelivered request is acknowledged without one",
          listener.name());
    }
  }

  /** Attaches a receiver, and says what the adapter refuses in terms of the listener. */
  RocketMqAttachment attached(Attaching attaching) {
    try {
      return attaching.attach();
    } catch (IllegalArgumentException | MQClientException e) {
      RefusedListenerException refused = refused(
          "a setting of its consumer breaks its rule",
          String.valueOf(e.getMessage()) + ".",
          "Change the attribute of @RocketMQMessageListener; prepareStart sets what it does not"
              + " have.");
      refused.initCause(e);
      throw refused;
    }
  }

  private RefusedListenerException refused(String setting, String rule, String wayOut) {
    return new RefusedListenerException(listener.name(), setting, rule, wayOut);
  }
}
