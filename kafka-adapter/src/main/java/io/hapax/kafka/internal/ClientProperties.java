package io.hapax.kafka.internal;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/** Turns the properties of one client of Kafka into those of another kind of client. */
public final class ClientProperties {

  /** The names that some kind of client knows. */
  private static final Set<String> KNOWN = Stream.of(
          AdminClientConfig.configNames(),
          ConsumerConfig.configNames(),
          ProducerConfig.configNames())
      .flatMap(Set::stream)
      .collect(Collectors.toUnmodifiableSet());

  private ClientProperties() {}

  /**
   * Returns the properties without those that only other kinds of clients know. Names that no
   * client knows remain: plug-ins read them, for example the one that makes TLS connections.
   *
   * @param names the names that the kind of client knows
   */
  public static Map<String, Object> of(Map<String, ?> properties, Set<String> names) {
    Map<String, Object> kept = new HashMap<>(properties);
    kept.keySet().removeIf(name -> KNOWN.contains(name) && !names.contains(name));
    return kept;
  }
}
