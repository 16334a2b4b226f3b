package io.hapax.spring.kafka;

import io.hapax.errors.AuditFailedException;
import io.hapax.kafka.internal.BrokerView;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of missing dead-letter topics, and of topics that outlast the marks. Brokers that do not
 * answer delay the start by 5 s for each connection.
 */
final class TopicWarnings {

  private static final Logger LOG = LoggerFactory.getLogger(TopicWarnings.class);

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private TopicWarnings() {}

  static void log(List<KafkaListenerTopics> listeners) {
    Map<Map<String, Object>, List<KafkaListenerTopics>> connections = listeners.stream()
        .collect(Collectors.groupingBy(
            KafkaListenerTopics::connection, LinkedHashMap::new, Collectors.toList()));
    connections.forEach(TopicWarnings::log);
  }

  private static void log(Map<String, Object> connection, List<KafkaListenerTopics> listeners) {
    try (BrokerView brokers = BrokerView.open(connection, PATIENCE)) {
      for (KafkaListenerTopics each : listeners) {
        log(brokers, each);
      }
    } catch (AuditFailedException | KafkaException e) {
      LOG.info("Could not check the topics of listeners with @Idempotent: {}", e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** One listener whose topics must not be seen does not keep the others from being checked. */
  private static void log(BrokerView brokers, KafkaListenerTopics listener)
      throws InterruptedException {
    String name = listener.settings().listener();
    try {
      listener.warnings(brokers).forEach(each -> LOG.warn("{}: {}", name, each));
    } catch (AuditFailedException e) {
      if (e.getCause() instanceof TimeoutException) {
        throw e; // no broker can be reached
      }
      LOG.info("Could not check the topics of {}: {}", name, e.toString());
    }
  }
}
