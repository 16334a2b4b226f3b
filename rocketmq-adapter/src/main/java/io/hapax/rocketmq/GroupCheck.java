package io.hapax.rocketmq;

import io.hapax.health.Problem;
import io.hapax.health.Problems;
import java.io.UnsupportedEncodingException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.apache.rocketmq.remoting.protocol.subscription.SubscriptionGroupConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks each broker of the consumer's topics once for settings that lose messages of the group or
 * let them run again, and for its delay levels. A broker that does not answer does not stop the
 * consumer. If no broker admits the user to the group, or no broker knows the group, the start
 * fails.
 */
final class GroupCheck {

  private static final Logger LOG = LoggerFactory.getLogger(GroupCheck.class);
  private static final String DEFAULT_HOURS = "72";
  private static final String DEFAULT_TIMER_SECONDS = "259200";
  private static final Duration CHECK_INTERVAL = Duration.ofSeconds(10);

  private final ClientInternals internals;
  private final Duration remembered;
  private final boolean sendsBack;
  private final Map<String, Boolean> asked = new ConcurrentHashMap<>();
  private final Problems problems;
  private final Map<String, String> missing = new ConcurrentHashMap<>();
  private final AtomicLong nextCheckNanos = new AtomicLong(System.nanoTime());
  private volatile DelayLevels levels = DelayLevels.DEFAULT;
  private volatile Optional<String> refusal = Optional.empty();

  /** A consumer that sends messages back starts their retention anew. */
  GroupCheck(
      ClientInternals internals, Duration remembered, InstantSource clock, boolean sendsBack) {
    this.internals = internals;
    this.remembered = remembered;
    this.sendsBack = sendsBack;
    this.problems = new Problems(clock);
  }

  DelayLevels levels() {
    return levels;
  }

  /** Names brokers that do not know the group, and those with messages in the retry topic. */
  List<Problem> problems() {
    return problems.list();
  }

  /** Refuses a group that no queried broker knows, because nothing can arrive. */
  void requireGroup() {
    List<String> brokers = List.copyOf(internals.masters());
    if (!brokers.isEmpty() && missing.keySet().containsAll(brokers)) {
      throw new IllegalArgumentException(missing.get(brokers.get(0)));
    }
  }

  /**
   * Queries brokers in the background, every ten seconds at most. Nothing arrives from those that
   * do not know the group, so no message would cause a query.
   */
  void queryIfDue() {
    long now = System.nanoTime();
    long due = nextCheckNanos.get();
    if (now - due < 0
        || !internals.isStarted()
        || (missing.isEmpty() && asked.keySet().containsAll(internals.masters()))
        || !nextCheckNanos.compareAndSet(due, now + CHECK_INTERVAL.toNanos())) {
      return;
    }
    Thread thread = new Thread(this::queryAgain, "hapax-rocketmq-check-" + internals.group());
    thread.setDaemon(true);
    thread.start();
  }

  private void queryAgain() {
    try {
      missing.keySet().forEach(this::ask);
      var unused = refusal();
    } catch (RuntimeException e) { // the client is being shut down
      LOG.debug("The brokers of group {} cannot be queried", internals.group(), e);
    }
  }

  /**
   * Sends the query of each member's start, which needs the right to consume. The client itself
   * only logs a refusal, and retries for ever. Throws if every broker refuses; one that refuses
   * alone may have none of the consumer's topics.
   */
  void requireAllowed() throws MQClientException, InterruptedException {
    List<String> brokers = List.copyOf(internals.masters());
    List<MQClientException> refusals = new ArrayList<>();
    for (String broker : brokers) {
      refusalOf(broker).ifPresent(refusals::add);
    }
    if (!refusals.isEmpty() && refusals.size() == brokers.size()) {
      throw refusals.get(0);
    }
    refusals.forEach(it -> LOG.warn("{}", it.getErrorMessage()));
  }

  /** Returns the refusal of a broker. A broker that does not answer does not count as refusing. */
  private Optional<MQClientException> refusalOf(String broker) throws InterruptedException {
    try {
      internals.askForMembers(broker);
    } catch (RemotingException e) {
      LOG.debug("Broker {} does not answer", broker, e);
    } catch (MQBrokerException e) {
      if (e.getResponseCode() == ResponseCode.NO_PERMISSION) {
        return Optional.of(new MQClientException(
            "broker " + broker + " refuses group " + internals.group() + ": "
                + e.getErrorMessage()
                + ". Check the consumer's credentials and its permissions",
            e));
      }
    }
    return Optional.empty();
  }

  /** Queries the brokers that were not queried, and returns why nothing may be answered. */
  Optional<String> refusal() {
    for (String broker : internals.masters()) {
      if (!asked.containsKey(broker)) {
        asked.computeIfAbsent(broker, this::ask); // other callers wait for the answer
      }
    }
    return refusal;
  }

  private Boolean ask(String broker) {
    try {
      Optional<SubscriptionGroupConfig> group = group(broker);
      if (group.isPresent() && sendsBack) {
        requireRetries(broker, group.get());
      } else if (group.isPresent()) {
        lookForStranded(broker, group.get());
      }
      readSettings(broker);
    } catch (RemotingException
        | MQBrokerException
        | UnsupportedEncodingException
        | IllegalArgumentException e) {
      LOG.info(
          "Broker {} did not return the settings of group {}; RocketMQ's defaults are assumed: {}",
          broker,
          internals.group(),
          e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the client shuts down
    }
    return true;
  }

  private Optional<SubscriptionGroupConfig> group(String broker)
      throws RemotingException, MQBrokerException, InterruptedException {
    try {
      SubscriptionGroupConfig group = internals
          .api()
          .getSubscriptionGroupConfig(broker, internals.group(), ClientInternals.TIMEOUT_MILLIS);
      missing.remove(broker);
      problems.clear(Problem.Kind.CONFIGURATION, broker);
      return Optional.of(group);
    } catch (MQBrokerException e) {
      if (e.getResponseCode() != ResponseCode.SUBSCRIPTION_GROUP_NOT_EXIST) {
        throw e;
      }
      String text = "group " + internals.group() + " does not exist on broker " + broker
          + ", which creates no groups by itself (autoCreateSubscriptionGroup is false): no message"
          + " of this broker arrives. Create the group, for example with mqadmin updateSubGroup";
      missing.put(broker, text);
      if (problems.raise(Problem.Kind.CONFIGURATION, broker, text)) {
        LOG.warn(text);
      }
      return Optional.empty();
    }
  }

  private void requireRetries(String broker, SubscriptionGroupConfig group) {
    int queues = group.getRetryQueueNums();
    if (queues <= 0) {
      String text = "retryQueueNums of group " + internals.group() + " is " + queues
          + " on broker " + broker
          + " but must be at least 1: the broker drops each message that is sent back";
      refusal = Optional.of(text);
      problems.raise(Problem.Kind.CONFIGURATION, "", text);
    }
  }

  private void lookForStranded(String broker, SubscriptionGroupConfig group)
      throws RemotingException, MQBrokerException, InterruptedException {
    long waiting = internals.waitingForRetry(broker, group.getRetryQueueNums());
    if (waiting > 0) {
      String retries = ClientInternals.RETRY_PREFIX + internals.group();
      String found = waiting + " messages wait in " + retries + " on broker " + broker
          + ", sent back by a push consumer. A pull consumer does not read them:"
          + " stop it, let a push consumer empty that topic, and start it again";
      LOG.warn(found);
      problems.raise(Problem.Kind.STRANDED_MESSAGES, broker, retries, found);
    }
  }

  private void readSettings(String broker)
      throws RemotingException, MQBrokerException, InterruptedException,
          UnsupportedEncodingException {
    Properties settings = internals.api().getBrokerConfig(broker, ClientInternals.TIMEOUT_MILLIS);
    String text = settings.getProperty("messageDelayLevel");
    if (text != null) {
      levels = DelayLevels.parse(text);
    }
    Duration kept =
        Duration.ofHours(Long.parseLong(settings.getProperty("fileReservedTime", DEFAULT_HOURS)));
    Duration retries = sendsBack ? levels.sum() : Duration.ZERO;
    if (kept.plus(retries).compareTo(remembered) > 0) {
      LOG.warn(
          "Broker {} keeps messages for {} (fileReservedTime) and its retries take {}, but the store"
              + " keeps marks for {}: older messages run again in a replay",
          broker,
          kept,
          retries,
          remembered);
    }
    Duration delayed = Duration.ofSeconds(
        Long.parseLong(settings.getProperty("timerMaxDelaySec", DEFAULT_TIMER_SECONDS)));
    if (delayed.compareTo(remembered) > 0) {
      LOG.warn(
          "Broker {} delays messages for up to {} (timerMaxDelaySec), but the store keeps marks for"
              + " {}: under tooOld(DEAD_LETTER) a message with a longer delay is dead-lettered when"
              + " it arrives",
          broker,
          delayed,
          remembered);
    }
  }
}
