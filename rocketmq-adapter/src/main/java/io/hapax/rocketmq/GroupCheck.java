package io.hapax.rocketmq;

import java.io.UnsupportedEncodingException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks each broker of the consumer's topics once for settings that lose messages of the group or
 * let them run again, and for its delay levels. A broker that does not answer does not stop the
 * consumer. If no broker admits the user to the group, the start fails.
 */
final class GroupCheck {

  private static final Logger LOG = LoggerFactory.getLogger(GroupCheck.class);
  private static final String DEFAULT_HOURS = "72";

  private final ClientInternals internals;
  private final Duration remembered;
  private final boolean sendsBack;
  private final Map<String, Boolean> asked = new ConcurrentHashMap<>();
  private final List<String> warnings = new CopyOnWriteArrayList<>();
  private final Map<String, String> stranded = new ConcurrentHashMap<>();
  private volatile DelayLevels levels = DelayLevels.DEFAULT;
  private volatile Optional<String> refusal = Optional.empty();

  private GroupCheck(ClientInternals internals, Duration remembered, boolean sendsBack) {
    this.internals = internals;
    this.remembered = remembered;
    this.sendsBack = sendsBack;
  }

  /**
   * Creates the check of a consumer that sends messages back to the broker, where their retention
   * starts anew.
   *
   * @param remembered how long the store keeps marks
   */
  static GroupCheck ofPushed(ClientInternals internals, Duration remembered) {
    return new GroupCheck(internals, remembered, true);
  }

  /** Creates the check of a consumer that keeps messages for their next attempt. */
  static GroupCheck ofPulled(ClientInternals internals, Duration remembered) {
    return new GroupCheck(internals, remembered, false);
  }

  DelayLevels levels() {
    return levels;
  }

  /** Returns the warnings of the brokers that were queried; each was logged. */
  List<String> warnings() {
    return List.copyOf(warnings);
  }

  /**
   * Returns a text for each queried broker on which messages wait in the retry topic, which a pull
   * consumer does not read.
   */
  Map<String, String> stranded() {
    return Map.copyOf(stranded);
  }

  /** Returns why the group's messages must not be answered, as far as brokers were queried. */
  Optional<String> known() {
    return refusal;
  }

  /**
   * Sends each broker the query that every member of a group sends at start, and that needs the
   * right to consume. If that is refused, the client itself only writes into its own log, and
   * retries for ever. If some brokers refuse and others do not, each refusal is logged as a
   * warning. Such a broker may have none of the consumer's topics, but those of a producer that
   * shares its connection.
   *
   * @throws MQClientException if every broker refuses the credentials, or the right to be in the
   *     group
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
        return Optional.of(refused(broker, e));
      }
    }
    return Optional.empty();
  }

  private MQClientException refused(String broker, MQBrokerException e) {
    return new MQClientException(
        "broker " + broker + " refuses group " + internals.group() + ": "
            + e.getErrorMessage()
            + ". Check the consumer's credentials and its permissions",
        e);
  }

  /**
   * Queries the brokers that were not queried before, and returns why no message may be answered.
   */
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
      if (sendsBack) {
        requireRetries(broker);
      } else {
        lookForStranded(broker);
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

  private void requireRetries(String broker)
      throws RemotingException, MQBrokerException, InterruptedException {
    int queues = internals
        .api()
        .getSubscriptionGroupConfig(broker, internals.group(), ClientInternals.TIMEOUT_MILLIS)
        .getRetryQueueNums();
    if (queues <= 0) {
      refusal = Optional.of("retryQueueNums of group " + internals.group() + " is "
          + queues + " on broker " + broker + " but must be at least 1: the broker drops each"
          + " message that is sent back");
    }
  }

  private void lookForStranded(String broker)
      throws RemotingException, MQBrokerException, InterruptedException {
    long waiting = internals.waitingForRetry(broker);
    if (waiting > 0) {
      String found =
          waiting + " messages wait in " + ClientInternals.RETRY_PREFIX + internals.group()
              + " on broker " + broker
              + ", sent back by a push consumer. A pull consumer does not read them:"
              + " stop it, let a push consumer empty that topic, and start it again";
      LOG.warn(found);
      stranded.put(broker, found);
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
      String warning = "Broker " + broker + " keeps messages for " + kept
          + " (fileReservedTime) and its retries take " + retries
          + ", but the store keeps marks for " + remembered
          + ": older messages run again in a replay";
      LOG.warn(warning);
      warnings.add(warning);
    }
  }
}
