package io.hapax.spring.kafka;

import io.hapax.kafka.KafkaTopicCheck;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns at the start about a dead-letter topic that does not exist, and about topics that keep
 * records for longer than the store keeps marks. Brokers that do not answer prevent no start, and
 * delay it by 5 s for each connection.
 */
final class TopicWarnings {

  private static final Logger LOG = LoggerFactory.getLogger(TopicWarnings.class);

  private TopicWarnings() {}

  /** Asks the brokers once for each connection. */
  static void log(List<KafkaListenerTopics> listeners) {
    Map<Map<String, Object>, List<KafkaListenerTopics>> connections = listeners.stream()
        .collect(Collectors.groupingBy(
            KafkaListenerTopics::connection, LinkedHashMap::new, Collectors.toList()));
    connections.forEach(TopicWarnings::log);
  }

  private static void log(Map<String, Object> connection, List<KafkaListenerTopics> listeners) {
    try (KafkaTopicCheck check = KafkaTopicCheck.connect(connection)) {
      for (KafkaListenerTopics each : listeners) {
        log(check, each);
      }
    } catch (KafkaException e) {
      LOG.info("Could not check the topics of listeners with @Idempotent: {}", e.toString());
    }
  }

  /** One listener whose topics must not be seen does not keep the others from being checked. */
  private static void log(KafkaTopicCheck check, KafkaListenerTopics listener) {
    try {
      String name = listener.settings().listener();
      listener.warnings(check).forEach(each -> LOG.warn("{}: {}", name, each));
    } catch (TimeoutException unreachable) {
      throw unreachable;
    } catch (KafkaException e) {
      LOG.info(
          "Could not check the topics of {}: {}", listener.settings().listener(), e.toString());
    }
  }
}
