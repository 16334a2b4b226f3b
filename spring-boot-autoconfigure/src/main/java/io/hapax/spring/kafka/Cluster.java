package io.hapax.spring.kafka;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.CommonClientConfigs;
import org.springframework.util.StringUtils;

/**
 * A cluster, as the properties of a client name it.
 *
 * @param servers the servers that a client asks first
 */
record Cluster(Set<String> servers) {

  static Cluster of(Map<String, Object> properties) {
    Object given = properties.get(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG);
    String text = given instanceof Collection<?> several
        ? StringUtils.collectionToCommaDelimitedString(several)
        : String.valueOf(given == null ? "" : given);
    return new Cluster(new TreeSet<>(StringUtils.commaDelimitedListToSet(text.replace(" ", ""))));
  }

  /**
   * Returns whether both are one cluster, as far as their servers show: they have one in common.
   */
  boolean mayBe(Cluster other) {
    return servers.isEmpty()
        || other.servers.isEmpty()
        || !Collections.disjoint(servers, other.servers);
  }

  @Override
  public String toString() {
    return String.join(",", servers);
  }
}
