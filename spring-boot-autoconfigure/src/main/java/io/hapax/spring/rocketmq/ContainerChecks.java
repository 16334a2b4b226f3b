package io.hapax.spring.rocketmq;

import io.hapax.spring.listener.ListenerDefinition;
import io.hapax.spring.listener.RefusedListenerException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.rocketmq.client.Validators;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.spring.annotation.RocketMQMessageListener;
import org.apache.rocketmq.spring.annotation.SelectorType;
import org.apache.rocketmq.spring.support.DefaultRocketMQListenerContainer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.StringUtils;

/** Refuses settings of a container that cannot be made safe, and warns of those without effect. */
record ContainerChecks(
    DefaultRocketMQListenerContainer container,
    ListenerBean listener,
    ListenerDefinition settings) {

  private static final Logger LOG = LoggerFactory.getLogger(ContainerChecks.class);
  private static final int STANDARD_PAUSE = 1_000;
  private static final String ALL = "*";

  void refuseUnsafe() {
    listener.refuseAsynchronous();
    settings.deadLetterTopic(container.getTopic()).ifPresent(this::refuseUnusable);
  }

  /** Refuses one that gets the same messages in another group, or those of another cluster. */
  void refuseSharing(ContainerChecks other) {
    if (!settings.consumer().equals(other.settings.consumer())
        || !container.getTopic().equals(other.container.getTopic())) {
      return;
    }
    Set<String> servers = servers(container);
    Set<String> others = servers(other.container);
    if (!servers.isEmpty() && !others.isEmpty() && Collections.disjoint(servers, others)) {
      throw shared("nameServer", container.getNameServer(), other.container.getNameServer(), other);
    }
    String mine = container.getConsumerGroup();
    String theirs = other.container.getConsumerGroup();
    if (!mine.equals(theirs) && selectsWith(other)) {
      throw shared("consumerGroup", mine, theirs, other);
    }
  }

  private static Set<String> servers(DefaultRocketMQListenerContainer container) {
    String given = container.getNameServer();
    return StringUtils.commaDelimitedListToSet(given == null ? "" : given.replace(';', ','));
  }

  /** Returns whether both may select one message. Only tags can be compared. */
  private boolean selectsWith(ContainerChecks other) {
    Set<String> mine = tags(container);
    Set<String> theirs = tags(other.container);
    return mine.contains(ALL) || theirs.contains(ALL) || !Collections.disjoint(mine, theirs);
  }

  private static Set<String> tags(DefaultRocketMQListenerContainer container) {
    return container.getSelectorType() == SelectorType.TAG
        ? Arrays.stream(container.getSelectorExpression().split("\\|\\|"))
            .map(tag -> tag.isBlank() ? ALL : tag.strip())
            .collect(Collectors.toSet())
        : Set.of(ALL);
  }

  private RefusedListenerException shared(
      String name, String mine, String theirs, ContainerChecks other) {
    return refused(
        name + " is '" + mine + "', but '" + theirs + "' on " + other.listener.name(),
        "Both read a topic of the same name as the consumer " + settings.consumer()
            + ", so they share their marks.",
        "Set the same " + name + ", or another consumer name on one of them.");
  }

  private void refuseUnusable(String topic) {
    try {
      Validators.checkTopic(topic);
    } catch (MQClientException e) {
      RefusedListenerException refused = refused(
          "dead-letters is '" + settings.deadLetters().orElseThrow() + "', which is topic '" + topic
              + "'",
          "That is no name of a RocketMQ topic: " + e.getErrorMessage() + ".",
          "Set " + settings.property("dead-letters") + " to another name.");
      refused.initCause(e);
      throw refused;
    }
  }

  void warn() {
    RocketMQMessageListener annotation = container.getRocketMQMessageListener();
    if (annotation != null
        && (annotation.delayLevelWhenNextConsume() != 0
            || annotation.suspendCurrentQueueTimeMillis() != STANDARD_PAUSE)) {
      LOG.warn(
          "{}: delayLevelWhenNextConsume and suspendCurrentQueueTimeMillis have no effect, because"
              + " Hapax controls retries. Set {}, {} and {}",
          listener.name(),
          settings.property("attempts"),
          settings.property("first-backoff"),
          settings.property("max-backoff"));
    }
    if (listener.replies()) {
      LOG.warn(
          "{}: a reply is sent at most once for each attempt, before its message is marked done. If"
              + " the reply is lost, the redelivered request is acknowledged without one",
          listener.name());
    }
  }

  RefusedListenerException refusedByAdapter(Exception e) {
    RefusedListenerException refused = refused(
        "a setting of its consumer breaks its rule",
        String.valueOf(e.getMessage()) + ".",
        "Change the attribute of @RocketMQMessageListener; prepareStart sets what it does not"
            + " have.");
    refused.initCause(e);
    return refused;
  }

  private RefusedListenerException refused(String setting, String rule, String wayOut) {
    return new RefusedListenerException(listener.name(), setting, rule, wayOut);
  }
}
