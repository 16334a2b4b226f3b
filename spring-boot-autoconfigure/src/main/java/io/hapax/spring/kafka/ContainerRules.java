package io.hapax.spring.kafka;

import io.hapax.spring.listener.ListenerDefinition;
import io.hapax.spring.listener.RefusedListenerException;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DelegatingMessageListener;
import org.springframework.kafka.listener.adapter.AsyncRepliesAware;
import org.springframework.kafka.listener.adapter.BatchMessagingMessageListenerAdapter;

/** Refuses what would acknowledge a message before its mark is done, and warns of the rest. */
record ContainerRules(
    DeclaredListener declared, AbstractMessageListenerContainer<Object, Object> container) {

  private static final Logger LOG = LoggerFactory.getLogger(ContainerRules.class);

  void check(Map<String, Object> consumerProperties) {
    requireGroup();
    refuseAsynchronous();
    refuseTransactions();
    refuseAutoCommit(consumerProperties);
    refuseWithoutAcknowledgment();
    refuseBatchToRecordAdapter();
  }

  /** A declared return type may be generic; Spring knows what it is. */
  private void refuseAsynchronous() {
    Object listener = container.getContainerProperties().getMessageListener();
    if (listener instanceof AsyncRepliesAware aware && aware.isAsyncReplies()) {
      throw refusal(
          "it answers asynchronously",
          "Its messages would be marked done before their work is done.",
          "Return void or a plain value, and wait for the result inside the method.");
    }
  }

  @SuppressWarnings({"deprecation", "removal"}) // spring-kafka 4 still has it
  private void refuseTransactions() {
    ContainerProperties properties = container.getContainerProperties();
    if (properties.getKafkaAwareTransactionManager() != null
        || properties.getTransactionManager() != null) {
      throw refusal(
          "its container has a transaction manager",
          "The container would commit the offsets of messages that Hapax has deferred.",
          "Remove the transaction manager from the container factory. In transactional mode Hapax"
              + " opens the transaction of the database itself.");
    }
  }

  private void refuseAutoCommit(Map<String, Object> consumerProperties) {
    Object given = consumerProperties.getOrDefault(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "");
    if (String.valueOf(given).trim().equalsIgnoreCase("true")) {
      throw refusal(
          ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG + " is true",
          "The consumer would commit messages that are not done.",
          "Remove the property, or set it to false.");
    }
  }

  /** A manual container commits nothing that its listener does not acknowledge. */
  private void refuseWithoutAcknowledgment() {
    if (ContainerInternals.isManual(container) && !declared.canAcknowledge()) {
      throw refusal(
          "the AckMode of its container is "
              + container.getContainerProperties().getAckMode()
              + ", but it has no parameter that leads to an Acknowledgment",
          "No message of it would ever be done.",
          "Add a parameter of type Acknowledgment, or use a container factory with the AckMode"
              + " BATCH.");
    }
  }

  /** Such an adapter catches what the listener throws; the one of Spring only logs it. */
  private void refuseBatchToRecordAdapter() {
    Object listener = container.getContainerProperties().getMessageListener();
    if (hasBatchToRecordAdapter(listener)) {
      throw refusal(
          "its container factory has a BatchToRecordAdapter",
          "The adapter handles the failures of the listener, so a message that failed would be"
              + " done.",
          "Set batch of the listener to \"false\": Hapax claims the records of a poll together all"
              + " the same.");
    }
  }

  private static boolean hasBatchToRecordAdapter(@Nullable Object listener) {
    Object advised = listener == null ? null : AopProxyUtils.getSingletonTarget(listener);
    Object target = advised == null ? listener : advised;
    if (target instanceof DelegatingMessageListener<?> delegating) {
      return hasBatchToRecordAdapter(delegating.getDelegate());
    }
    return target instanceof BatchMessagingMessageListenerAdapter<?, ?>
        && new DirectFieldAccessor(target).getPropertyValue("batchToRecordAdapter") != null;
  }

  private void requireGroup() {
    String group = container.getGroupId();
    if (group == null || group.isEmpty()) {
      throw refusal(
          "it has no group",
          "Hapax commits the offsets of its messages to a group.",
          "Set groupId of the listener, or spring.kafka.consumer.group-id.");
    }
  }

  void requireBytes(
      ConsumerOverrides consumers, ListenerDefinition settings, boolean toDeadLetterTopic) {
    if (!consumers.hasBytes() && settings.fingerprint().equals("value")) {
      throw noBytes(
          "fingerprint is 'value'", "set fingerprint to \"none\" or \"#{payload.total}\"");
    } else if (!consumers.hasBytes() && settings.id().startsWith("json:")) {
      throw noBytes("id is '" + settings.id() + "'", "set id to \"#{payload.orderId}\"");
    } else if (toDeadLetterTopic && !consumers.hasReceivedBytes()) {
      throw noBytes(
          "dead letters go to " + settings.deadLetters().orElse(""),
          "declare a bean of type DeadLetterPublishingRecoverer");
    }
  }

  private RefusedListenerException noBytes(String setting, String other) {
    return refusal(
        setting,
        "That needs the bytes of a record, but its consumer factory has a deserializer object"
            + " that makes other objects of them.",
        "Configure the deserializer by the property value.deserializer instead, or " + other + ".");
  }

  void warnOfReplies() {
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

  void warnOfErrorHandler(ListenerDefinition settings) {
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

  private RefusedListenerException refusal(String setting, String rule, String wayOut) {
    return new RefusedListenerException(declared.name(), setting, rule, wayOut);
  }
}
