package io.hapax.kafka;

import io.hapax.errors.AuditFailedException;
import io.hapax.kafka.internal.BrokerView;
import io.hapax.kafka.internal.ReplayHorizon;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks whether topics exist, and whether retention of topics, offsets and marks fits. */
record StartChecks(Map<String, Object> properties, Subscription subscription) {

  private static final Logger LOG = LoggerFactory.getLogger(StartChecks.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  /** Throws IllegalArgumentException for a missing topic, and for findings under REFUSE. */
  void run(Duration remembered, RetentionCheck mode) {
    try (BrokerView brokers = BrokerView.open(properties, TIMEOUT)) {
      Collection<String> topics = existing(brokers);
      if (mode != RetentionCheck.OFF) {
        report(findings(brokers, topics, remembered), mode);
      }
    } catch (AuditFailedException | KafkaException e) {
      unanswered(e, mode);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      unanswered(e, mode);
    }
  }

  private static void unanswered(Exception e, RetentionCheck mode) {
    if (mode == RetentionCheck.REFUSE) {
      throw new IllegalStateException(
          "retentionCheck is REFUSE but the brokers did not answer: " + e, e);
    }
    LOG.info("Could not check the topics and how long they are kept: {}", e.toString());
  }

  private Collection<String> existing(BrokerView brokers) throws InterruptedException {
    Set<String> all = subscription instanceof Subscription.Matching
        ? brokers.await(brokers.admin().listTopics().names())
        : Set.of();
    Collection<String> topics = subscription.among(all);
    for (String topic : topics) { // one question for a topic, however many partitions it has
      List<Integer> known = brokers.partitions(topic);
      if (known.isEmpty()) {
        throw missing(topic, "topic");
      }
      for (TopicPartition each : subscription.partitions()) {
        if (each.topic().equals(topic) && !known.contains(each.partition())) {
          throw missing(each.toString(), "partition");
        }
      }
    }
    return topics;
  }

  private IllegalArgumentException missing(String name, String what) {
    return new IllegalArgumentException(subscription.setting() + " holds '" + name + "' but a "
        + what + " must exist before it is read: create it first");
  }

  private List<String> findings(BrokerView brokers, Collection<String> topics, Duration remembered)
      throws InterruptedException {
    List<String> findings =
        new ArrayList<>(new ReplayHorizon(remembered).warnings(brokers, topics));
    boolean joins = !(subscription instanceof Subscription.Partitions);
    ReplayHorizon.offsetWarning(brokers, properties, joins, !findings.isEmpty())
        .ifPresent(findings::add);
    return findings;
  }

  private static void report(List<String> findings, RetentionCheck mode) {
    if (mode == RetentionCheck.REFUSE && !findings.isEmpty()) {
      throw new IllegalArgumentException(
          "retentionCheck is REFUSE but: " + String.join(". ", findings));
    }
    findings.forEach(LOG::warn);
  }
}
