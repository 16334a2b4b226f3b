package io.hapax.rocketmq;

import java.io.UnsupportedEncodingException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks each broker of the consumer's topics once for what loses messages of the group there, and
 * for its delay levels. A broker that does not answer, or not to this user, does not stop anybody.
 */
final class GroupCheck {

  private static final Logger LOG = LoggerFactory.getLogger(GroupCheck.class);
  private static final String DEFAULT_HOURS = "72";

  private final DefaultMQPushConsumer consumer;
  private final ClientInside inside;
  private final Duration remembered;
  private final Map<String, Boolean> asked = new ConcurrentHashMap<>();
  private volatile DelayLevels levels = DelayLevels.DEFAULT;
  private volatile Optional<String> refusal = Optional.empty();

  GroupCheck(DefaultMQPushConsumer consumer, ClientInside inside, Duration remembered) {
    this.consumer = consumer;
    this.inside = inside;
    this.remembered = remembered;
  }

  DelayLevels levels() {
    return levels;
  }

  /** Why the group's messages must not be answered, as far as brokers were asked. */
  Optional<String> known() {
    return refusal;
  }

  /** Asks the brokers that were not asked before, and says why nothing may be answered. */
  Optional<String> refusal() {
    for (String broker : inside.masters()) {
      if (!asked.containsKey(broker)) {
        asked.computeIfAbsent(broker, this::ask); // nobody answers before that one is asked
      }
    }
    return refusal;
  }

  private Boolean ask(String broker) {
    try {
      requireRetries(broker);
      readSettings(broker);
    } catch (RemotingException
        | MQBrokerException
        | UnsupportedEncodingException
        | IllegalArgumentException e) {
      LOG.info(
          "Broker {} did not tell the settings of group {}: taken to be RocketMQ's own. {}",
          broker,
          consumer.getConsumerGroup(),
          e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the client shuts down
    }
    return true;
  }

  private void requireRetries(String broker)
      throws RemotingException, MQBrokerException, InterruptedException {
    int queues = inside
        .api()
        .getSubscriptionGroupConfig(
            broker, consumer.getConsumerGroup(), ClientInside.TIMEOUT_MILLIS)
        .getRetryQueueNums();
    if (queues <= 0) {
      refusal = Optional.of("retryQueueNums of group " + consumer.getConsumerGroup() + " is "
          + queues + " on broker " + broker + " but must be at least 1: the broker forgets each"
          + " message that is sent back");
    }
  }

  private void readSettings(String broker)
      throws RemotingException, MQBrokerException, InterruptedException,
          UnsupportedEncodingException {
    Properties settings = inside.api().getBrokerConfig(broker, ClientInside.TIMEOUT_MILLIS);
    String text = settings.getProperty("messageDelayLevel");
    if (text != null) {
      levels = DelayLevels.parse(text);
    }
    Duration kept =
        Duration.ofHours(Long.parseLong(settings.getProperty("fileReservedTime", DEFAULT_HOURS)));
    Duration replayable = kept.plus(levels.sum());
    if (replayable.compareTo(remembered) > 0) {
      LOG.warn(
          "Broker {} keeps messages for {} (fileReservedTime) and its retries take {}, but the store"
              + " keeps marks for {}: what is replayed from further back than that runs again",
          broker,
          kept,
          levels.sum(),
          remembered);
    }
  }
}
